import { expect, it } from '@jest/globals';
import { TranscriptCode } from './agent/decision.js';
import { absentAgent } from './agent-meta/agent-meta.js';
import { eventSchemas } from './events/agent-event.js';
import { agentOfStream, isAgentId, streamName } from './events/agent-stream.js';
import { specAgentId } from './testing/events.js';

it('event names are public: one is added here, none is renamed or removed', () => {
  expect(Object.keys(eventSchemas).sort()).toEqual([
    'AgentCancelled',
    'AgentCompleted',
    'AgentFailed',
    'AgentLaunched',
    'AgentResumed',
    'ApprovalExpired',
    'ApprovalRequested',
    'ApprovalResolved',
    'BootstrapRecorded',
    'HistoryCompacted',
    'LaunchPromptRecorded',
    'LaunchRefused',
    'MessageAppended',
    'MessageDelivered',
    'MessageQueued',
    'OutcomeDelivered',
    'QuestionAnswered',
    'QuestionAsked',
    'QuestionExpired',
    'RevivalBlocked',
    'RunInterrupted',
    'RunParked',
    'RunReleased',
    'RunStarted',
    'RuntimeChanged',
    'SessionClosed',
    'SessionOpened',
    'SessionReopened',
    'SurfaceChanged',
    'ToolCallAllowed',
    'ToolCallClassified',
    'ToolCallFinished',
    'ToolCallRefused',
    'ToolCallStarted',
    'TurnRecorded',
    'WaitEnded',
  ]);
});

it('codes of refused commands are public', () => {
  const codes = [
    'AGENT_NOT_FOUND',
    'AGENT_EXISTS',
    'AGENT_ENDED',
    'AGENT_BUSY',
    'AGENT_NOT_ENDED',
    'AGENT_DAMAGED',
    'RUN_HELD',
    'RUN_LOST',
    'MESSAGES_PENDING',
    'NOT_A_SESSION',
    'SESSION_CLOSED',
    'SESSION_OPEN',
    'SPAWN_FORBIDDEN',
    'DEPTH_EXCEEDED',
    'APPROVAL_NOT_FOUND',
    'QUESTION_NOT_FOUND',
    'ALREADY_DELIVERED',
    'FORK_POINT_INVALID',
  ];
  expect({ ...TranscriptCode }).toEqual(Object.fromEntries(codes.map((code) => [code, code])));
});

it('the names of AgentMeta facts are kept', () => {
  expect(Object.keys(absentAgent('')).sort()).toEqual([
    'activation',
    'activeMs',
    'agentId',
    'approvals',
    'batch',
    'blocked',
    'bootstrap',
    'closed',
    'compactions',
    'crashesOutsideCalls',
    'crashesWithoutProgress',
    'createdAt',
    'damage',
    'delivered',
    'epoch',
    'head',
    'hosted',
    'isDamageNoted',
    'kind',
    'lastRequest',
    'lastRun',
    'lastText',
    'launch',
    'launchPrompt',
    'limits',
    'modelAttempts',
    'outcome',
    'pending',
    'questions',
    'recentCalls',
    'refusalStreak',
    'refusals',
    'refusedTools',
    'run',
    'runtime',
    'status',
    'surface',
    'tenant',
    'title',
    'toolCalls',
    'turnHead',
    'turns',
    'unanswered',
    'unpricedTurns',
    'unreadablePolicy',
    'unreportedTurns',
    'updatedAt',
    'usage',
    'waitUntilMs',
    'waitingFor',
  ]);
});

it('a stream is named after its agent, and nothing else names one', () => {
  expect(streamName(specAgentId)).toBe(`agent-${specAgentId}`);
  expect(agentOfStream(`agent-${specAgentId}`)).toBe(specAgentId);
  for (const name of [specAgentId, `agent-${specAgentId}x`, `Agent-${specAgentId}`, 'agent-1', '']) {
    expect(agentOfStream(name)).toBeNull();
  }
  expect([specAgentId, specAgentId.toUpperCase().replace('0', 'A'), '../x'].map(isAgentId)).toEqual([
    true,
    false,
    false,
  ]);
});
