import { describe, expect, it } from '@jest/globals';
import { given, metaOf } from '../testing/decider-spec.js';
import { event, specRuntime } from '../testing/events.js';
import { queueMessage, resolveApproval, resumeAgent } from './exchange.js';
import { launchAgent, launchRefusal } from './launch-agent.js';
import { appendMessages, changeRuntime, closeSession, openSession, reopenSession } from './open-session.js';

const opened = event.sessionOpened();
const closed = [opened, event.sessionClosed()];
const fork = event.agentLaunched();
const message = event.messageAppended().data;
const ended = [fork, event.runStarted(), event.agentCompleted()];

describe('sessions', () => {
  it('a session opens with its imported history in one append', () => {
    const history = [event.messageAppended({ source: 'history', run: false })];
    given()
      .when((meta) => openSession({ opened: opened.data, history: history.map(({ data }) => data) }, meta))
      .then(opened, ...history);
  });
  it('a session that exists is not opened again', () => {
    given(opened)
      .when((meta) => openSession({ opened: opened.data, history: [] }, meta))
      .thenRejected('AGENT_EXISTS');
  });
  it('messages, changes of the runtime and the close go to an open session', () => {
    given(opened)
      .when((meta) => appendMessages(message, meta))
      .then(event.messageAppended());
    given(opened)
      .when((meta) => changeRuntime({ workflowMode: 'plan' }, meta))
      .then(event.runtimeChanged({ changes: { workflowMode: 'plan' } }));
    given(opened).when(closeSession).then(event.sessionClosed());
  });
  it('a closed session takes nothing until it is reopened', () => {
    given(...closed)
      .when((meta) => appendMessages(message, meta))
      .thenRejected('SESSION_CLOSED');
    given(...closed)
      .when((meta) => changeRuntime({}, meta))
      .thenRejected('SESSION_CLOSED');
    given(...closed)
      .when(closeSession)
      .thenRejected('SESSION_CLOSED');
    given(...closed)
      .when(reopenSession)
      .then(event.sessionReopened());
    given(...closed, event.sessionReopened())
      .when((meta) => appendMessages(message, meta))
      .then(event.messageAppended());
  });
  it('what is no session takes no command of one', () => {
    given(fork)
      .when((meta) => appendMessages(message, meta))
      .thenRejected('NOT_A_SESSION');
    given(fork).when(reopenSession).thenRejected('NOT_A_SESSION');
    given().when(closeSession).thenRejected('AGENT_NOT_FOUND');
    given().when(reopenSession).thenRejected('AGENT_NOT_FOUND');
    given(opened).when(reopenSession).thenRejected('SESSION_OPEN');
  });
});

describe('launches', () => {
  const facts = {
    launched: fork.data,
    bootstrap: event.bootstrapRecorded().data,
    prompt: event.launchPromptRecorded().data,
  };
  const subagent = event.agentLaunched({ kind: 'subagent' });

  it('launch facts, bootstrap and prompt are one append that expects no stream', () => {
    given()
      .when((meta) => launchAgent(facts, meta))
      .then(fork, event.bootstrapRecorded(), event.launchPromptRecorded());
    given(fork)
      .when((meta) => launchAgent(facts, meta))
      .thenRejected('AGENT_EXISTS');
  });
  it('[POL-8] a fork launches nothing and only a session launches forks, by record', () => {
    expect(launchRefusal(metaOf(fork), 'fork', 9)).toMatchObject({ code: 'SPAWN_FORBIDDEN' });
    expect(launchRefusal(metaOf(fork), 'subagent', 9)).toMatchObject({ code: 'SPAWN_FORBIDDEN' });
    expect(launchRefusal(metaOf(subagent), 'fork', 9)).toMatchObject({ code: 'SPAWN_FORBIDDEN' });
    expect(launchRefusal(metaOf(opened), 'fork', 1)).toBeNull();
    expect(launchRefusal(metaOf(subagent), 'subagent', 2)).toBeNull();
  });
  it('depth is bounded', () => {
    expect(launchRefusal(metaOf(subagent), 'subagent', 1)).toMatchObject({ code: 'DEPTH_EXCEEDED' });
    expect(launchRefusal(metaOf(opened), 'subagent', 0)).toMatchObject({ code: 'DEPTH_EXCEEDED' });
  });
  it('an unknown agent, a closed session and an ended agent launch nothing', () => {
    const over = [subagent, event.runStarted(), event.agentCancelled()];
    expect(launchRefusal(metaOf(), 'fork', 9)).toMatchObject({ code: 'AGENT_NOT_FOUND' });
    expect(launchRefusal(metaOf(...closed), 'fork', 9)).toMatchObject({ code: 'SESSION_CLOSED' });
    expect(launchRefusal(metaOf(...over), 'subagent', 9)).toMatchObject({ code: 'AGENT_ENDED' });
  });
});

describe('exchange', () => {
  const queued = event.messageQueued().data;
  const resume = { message: queued, mode: 'plan', ceiling: { version: 1, kind: 'none' } };
  const asked = [fork, event.runStarted(), event.turnRecorded(), event.approvalRequested()];

  it('[C15] the first answer to an approval wins', () => {
    const answer = event.approvalResolved();
    given(...asked)
      .when((meta) => resolveApproval(answer.data, meta))
      .then(answer);
    given(...asked, answer)
      .when((meta) => resolveApproval(answer.data, meta))
      .thenRejected('APPROVAL_NOT_FOUND');
    given(...asked, event.approvalExpired())
      .when((meta) => resolveApproval(answer.data, meta))
      .thenRejected('APPROVAL_NOT_FOUND');
    given(...asked, event.agentCancelled())
      .when((meta) => resolveApproval(answer.data, meta))
      .thenRejected('APPROVAL_NOT_FOUND');
  });
  it('a message is queued for a live agent and for no other', () => {
    given(fork)
      .when((meta) => queueMessage(queued, meta))
      .then(event.messageQueued());
    given()
      .when((meta) => queueMessage(queued, meta))
      .thenRejected('AGENT_NOT_FOUND');
    given(...ended)
      .when((meta) => queueMessage(queued, meta))
      .thenRejected('AGENT_ENDED');
  });
  it('a message to an ended agent is its next activation, gated by the mode of now', () => {
    given(...ended)
      .when((meta) => resumeAgent(resume, meta))
      .then(event.agentResumed({ messageId: 'm1', mode: 'plan' }), event.messageQueued());
    given(fork)
      .when((meta) => resumeAgent(resume, meta))
      .thenRejected('AGENT_NOT_ENDED');
    given()
      .when((meta) => resumeAgent(resume, meta))
      .thenRejected('AGENT_NOT_FOUND');
  });
  it('the runtime of a session is the fold of its changes', () => {
    const meta = metaOf(opened, event.runtimeChanged({ changes: { model: 'scripted:other' } }));
    expect(meta.runtime).toEqual({ ...specRuntime, model: 'scripted:other' });
  });
});
