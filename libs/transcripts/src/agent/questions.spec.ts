import { describe, expect, it } from '@jest/globals';
import type { AgentEvent } from '../events/agent-event.js';
import { given, metaOf } from '../testing/decider-spec.js';
import { call, callKey, event, says, specSessionId } from '../testing/events.js';
import { unansweredCalls } from '../agent-meta/agent-meta.js';
import { queueMessage } from './exchange.js';
import { answerQuestion, expireQuestion, nobodyAnswered } from './questions.js';

const asking = (to: 'user' | 'parent' = 'user'): readonly AgentEvent[] => [
  event.agentLaunched({ kind: 'subagent' }),
  event.runStarted(),
  event.turnRecorded({ message: says('', call('ask_question')) }),
  event.toolCallAllowed({ name: 'ask_question', tool: { name: 'ask_question' } }),
  event.questionAsked({ to }),
  event.runParked({ reason: 'question', waitingFor: ['q1'] }),
];
const result = (outcome: 'ok' | 'error', content: string): AgentEvent =>
  event.toolCallFinished({ call: callKey(), name: 'ask_question', outcome, content, durationMs: 0 });
const answered = event.questionAnswered({ text: 'blue' });

describe('a question', () => {
  it('keeps its agent waiting, and its call is neither open nor lost', () => {
    const meta = metaOf(...asking());
    expect([meta.status, meta.waitingFor, [...meta.questions.keys()]]).toEqual(['waiting', ['q1'], ['q1']]);
    expect(meta.batch.map(({ state, questionId }) => [state, questionId])).toEqual([['asked', 'q1']]);
  });

  it('is answered by one text, which is the result of the call that asked and wakes the agent in the same append', () => {
    given(...asking())
      .when((meta) => answerQuestion({ questionId: 'q1', text: 'blue' }, meta))
      .then(result('ok', 'blue'), answered);
    const meta = metaOf(...asking(), result('ok', 'blue'), answered);
    expect([meta.status, meta.questions.size, unansweredCalls(meta)]).toEqual(['queued', 0, []]);
  });

  it('[C15] has one answer: a second one, one that is late and one to nobody are refused', () => {
    const late = (meta: Parameters<typeof answerQuestion>[1]) =>
      answerQuestion({ questionId: 'q1', text: 'red' }, meta);
    given(...asking(), result('ok', 'blue'), answered)
      .when(late)
      .thenRejected('QUESTION_NOT_FOUND');
    given(...asking(), result('error', nobodyAnswered), event.questionExpired())
      .when(late)
      .thenRejected('QUESTION_NOT_FOUND');
    given(...asking(), event.agentCancelled())
      .when(late)
      .thenRejected('QUESTION_NOT_FOUND');
    given(...asking())
      .when((meta) => answerQuestion({ questionId: 'q2', text: 'red' }, meta))
      .thenRejected('QUESTION_NOT_FOUND');
  });

  it('expires with a result that says so, and quietly when it was answered after all', () => {
    given(...asking())
      .when((meta) => expireQuestion('q1', meta))
      .then(result('error', nobodyAnswered), event.questionExpired());
    given(...asking(), result('ok', 'blue'), answered)
      .when((meta) => expireQuestion('q1', meta))
      .thenNothing();
  });

  it('is void once its agent ended: a resumption waits for no answer', () => {
    const meta = metaOf(...asking(), event.agentCancelled(), event.agentResumed(), event.messageQueued());
    expect([meta.status, meta.waitingFor, meta.questions.size]).toEqual(['interrupted', [], 0]);
    expect(meta.batch.map(({ state, questionId }) => [state, questionId])).toEqual([['open', null]]);
  });

  it('beside an approval keeps the agent waiting until both are there', () => {
    const both = [
      event.agentLaunched({ kind: 'subagent' }),
      event.runStarted(),
      event.turnRecorded({ message: says('', call('ask_question'), call('edit', 'call-1-1')) }),
      event.questionAsked(),
      event.approvalRequested({ call: callKey(1) }),
      event.runParked({ reason: 'approval', waitingFor: ['a1', 'q1'] }),
      result('ok', 'blue'),
      answered,
    ];
    expect(metaOf(...both).status).toBe('waiting');
    expect(metaOf(...both, event.approvalResolved()).status).toBe('queued');
  });
});

describe('a message', () => {
  const message = (from: string) => ({ messageId: 'm1', from, text: 'blue' });
  const parent = `agent:${specSessionId}`;

  it('of the parent that was asked is the answer', () => {
    given(...asking('parent'))
      .when((meta) => queueMessage(message(parent), meta))
      .then(result('ok', 'blue'), answered);
  });

  it('of anybody else, and one of the parent when a person was asked or nothing is open, is a message', () => {
    const isQueued = (from: string, ...events: readonly AgentEvent[]): void =>
      given(...events)
        .when((meta) => queueMessage(message(from), meta))
        .then({ type: 'MessageQueued', data: message(from) });
    isQueued('key:k1', ...asking('parent'));
    isQueued('agent:01890000-0000-7000-8000-00000000dead', ...asking('parent'));
    isQueued(parent, ...asking('user'));
    isQueued(parent, ...asking('parent'), result('ok', 'blue'), answered);
  });
});
