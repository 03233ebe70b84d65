import { describe, expect, it } from '@jest/globals';
import { type AgentEvent, encodeEvent, type Message, type NewEvent } from '#transcripts';
import { event, InMemoryTranscriptStore, newAppend, newId } from '#transcripts/testing';
import { loadAgent } from './loaded-agent.js';

const user = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });
const said = (text: string): AgentEvent => event.messageAppended({ run: false, messages: [user(text)] });

describe('a transcript of several pages', () => {
  it.each([
    ['the first page', 400],
    ['a later page', 1_800],
  ])('[E17] has the history that its last compaction left, which stands in %s', async (_where, at) => {
    const facts = Array.from({ length: 2_500 }, (_, index) => said(`${index + 1}`));
    facts[99] = event.historyCompacted({ upTo: 50, messages: [user('first summary')] });
    facts[at - 1] = event.historyCompacted({ upTo: at - 10, messages: [user('summary')] });
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    const store = new InMemoryTranscriptStore();
    const stream = newId();
    await store.append(newAppend({ stream, events: [first!, ...rest] }));
    const { meta, history } = await loadAgent(store, stream);
    const texts = history.build().messages.map(({ blocks }) => (blocks[0] as { text: string }).text);
    const left = Array.from({ length: 2_500 }, (_, index) => index + 1).filter(
      (version) => version > at - 10 && version !== at,
    );
    expect(meta.head.version).toBe(2_500);
    expect(texts).toEqual(['summary', ...left.map(String)]);
  });
});
