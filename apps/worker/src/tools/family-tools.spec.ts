import { describe, expect, it } from '@jest/globals';
import { type AgentEvent, encodeEvent, loadMeta, type NewEvent } from '#transcripts';
import { event, InMemoryTranscriptStore, newId, testContext, wholeStream } from '#transcripts/testing';
import { sendMessageTool } from './send-message.js';
import { taskStopTool } from './task-stop.js';
import type { Tool } from './tool.js';

async function family() {
  const store = new InMemoryTranscriptStore();
  const tools = { store, newId };
  const [caller, child, grandchild, stranger] = [newId(), newId(), newId(), newId()];
  const record = async (stream: string, ...events: readonly AgentEvent[]) => {
    const { head } = await loadMeta(store, stream);
    const [first, ...rest] = events.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first !== undefined)
      await store.append({ stream, expected: head, events: [first, ...rest], context: testContext });
  };
  const launched = (agentId: string, parentId: string): AgentEvent =>
    event.agentLaunched({ agentId, parentId, sessionId: caller });
  await record(caller, event.sessionOpened({ sessionId: caller }));
  await record(child, launched(child, caller), event.runStarted());
  await record(grandchild, launched(grandchild, child));
  await record(stranger, launched(stranger, newId()));
  const callAs = (agentId: string, tool: Tool, args: object, index = 0) =>
    tool.execute({
      argumentsText: JSON.stringify(args),
      arguments: args,
      context: {
        projectRoot: '/nowhere',
        agentId,
        lineage: [],
        tenant: testContext.tenant,
        call: { turn: 1, index, providerId: 'c' },
        runId: newId(),
        signal: new AbortController().signal,
        env: () => ({}),
        idempotencyKey: `${agentId}/1/${index}`,
      },
    });
  const send = (agentId: string, to: string, message: string, index = 0) =>
    callAs(agentId, sendMessageTool(tools), { agent_id: to, message }, index);
  const stop = (agentId: string, target: string, reason?: string) =>
    callAs(agentId, taskStopTool(tools), { agent_id: target, ...(reason === undefined ? {} : { reason }) });
  const typesOf = async (stream: string) => (await wholeStream(store, stream)).map(({ type }) => type);
  return { store, caller, child, grandchild, stranger, record, send, stop, typesOf };
}

describe('send_message and task_stop', () => {
  it('[T06] reach the own children of the caller, and nobody else', async () => {
    const { caller, child, grandchild, stranger, send, stop, typesOf } = await family();
    for (const target of [caller, grandchild, stranger, newId(), 'no id']) {
      for (const result of [await send(caller, target, 'hello'), await stop(caller, target)])
        expect(result).toMatchObject({
          outcome: 'error',
          text: expect.stringContaining('launched no agent'),
        });
    }
    expect(await send(child, caller, 'hello')).toMatchObject({ outcome: 'error' });
    expect(await typesOf(grandchild)).toEqual(['AgentLaunched']);
    expect(await typesOf(stranger)).toEqual(['AgentLaunched']);
    expect(await typesOf(caller)).toEqual(['SessionOpened']);
    expect((await send(caller, child, 'hello')).outcome).toBe('ok');
  });

  it('a message is accepted once, although its call runs again after a crash', async () => {
    const { store, caller, child, send } = await family();
    await send(caller, child, 'hello');
    expect((await send(caller, child, 'hello')).outcome).toBe('ok');
    await send(caller, child, 'more', 1);
    expect((await loadMeta(store, child)).pending.map(({ from, text }) => [from, text])).toEqual([
      [`agent:${caller}`, 'hello'],
      [`agent:${caller}`, 'more'],
    ]);
  });

  it('[POL-5] a message to an ended agent resumes it, under its ceiling narrowed by the mode of now', async () => {
    const { store, caller, child, record, send } = await family();
    await record(child, event.agentCompleted());
    await record(caller, event.runtimeChanged({ changes: { workflowMode: 'plan' } }));
    expect((await send(caller, child, 'go on')).outcome).toBe('ok');
    const meta = await loadMeta(store, child);
    expect(meta).toMatchObject({ status: 'queued', activation: 2, launch: { mode: 'plan' } });
    expect(meta.launch?.ceiling).toMatchObject({ kind: 'closed_list' });
    expect(meta.pending).toHaveLength(1);
  });

  it('[POL-6] an ended agent whose ceiling cannot be read is not resumed', async () => {
    const { caller, record, send, typesOf } = await family();
    const odd = newId();
    const launched = event.agentLaunched({
      agentId: odd,
      parentId: caller,
      sessionId: caller,
      ceiling: null,
    });
    await record(odd, launched, event.agentCancelled());
    expect(await send(caller, odd, 'go on')).toMatchObject({ outcome: 'error' });
    expect(await typesOf(odd)).toEqual(['AgentLaunched', 'AgentCancelled']);
  });

  it('[L23] a stopped agent ends as stopped by its parent, once, with the words of the parent', async () => {
    const { store, caller, child, stop, typesOf } = await family();
    expect((await stop(caller, child, 'not needed')).outcome).toBe('ok');
    expect((await stop(caller, child)).outcome).toBe('ok');
    expect(await typesOf(child)).toEqual(['AgentLaunched', 'RunStarted', 'AgentCancelled']);
    const [last] = (await wholeStream(store, child)).slice(-1);
    expect(JSON.parse(last?.data ?? '{}')).toMatchObject({
      by: `agent:${caller}`,
      note: 'not needed',
      outcome: { status: 'cancelled', reason: 'stopped_by_parent', partial: true },
    });
  });
});
