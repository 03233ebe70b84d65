import { describe, expect, it } from '@jest/globals';
import type { Approval } from './approvals.js';
import type { LiveEvent } from './cloud-event.js';
import { InboxExpectation } from './inbox-expectation.js';

const event = (name: string, facts: Record<string, unknown> = {}, agentId = 'agent'): LiveEvent => ({
  cursor: 'c',
  name,
  agentId,
  version: 1,
  at: '',
  facts,
  isByReference: false,
});
const requested = (id: string, agentId?: string) => event('ApprovalRequested', { approvalId: id }, agentId);
const resolved = (id: string) => event('ApprovalResolved', { approvalId: id });
const approval = (id: string, agentId = 'agent'): Approval => ({
  id,
  agentId,
  tool: 'edit',
  arguments: '{}',
  requestedAt: '',
  expiresAt: null,
});

describe('what the inbox is expected to say', () => {
  it('an approval that was asked for is looked for until the list has it', () => {
    const expectation = new InboxExpectation();
    expect(expectation.hear([requested('a')], [])).toBe(true);
    expect(expectation.compare([])).toBe(true);
    expect(expectation.compare([approval('b')])).toBe(true);
    expect(expectation.compare([approval('a')])).toBe(false);
  });

  it('an approval that was answered is looked for until the list has it no more', () => {
    const expectation = new InboxExpectation();
    expectation.hear([requested('a'), resolved('a')], [approval('a')]);
    expect(expectation.compare([approval('a')])).toBe(true);
    expect(expectation.compare([])).toBe(false);
  });

  it.each(['AgentCompleted', 'AgentFailed', 'AgentCancelled'])(
    'with %s go the approvals of this agent, whether shown or still awaited',
    (name) => {
      const expectation = new InboxExpectation();
      const shown = [approval('shown'), approval('other', 'other')];
      expectation.hear([requested('awaited')], shown);
      expect(expectation.hear([event(name)], shown)).toBe(true);
      expect(expectation.compare(shown)).toBe(true);
      expect(expectation.compare([approval('other', 'other')])).toBe(false);
    },
  );

  it('the end of an agent that asked for nothing, and any other event, ask for no look', () => {
    const expectation = new InboxExpectation();
    expect(expectation.hear([event('AgentCompleted'), event('TurnRecorded')], [])).toBe(false);
    expect(expectation.compare([])).toBe(false);
  });

  it('an approval whose payload is kept elsewhere asks for one look', () => {
    const expectation = new InboxExpectation();
    expect(expectation.hear([event('ApprovalRequested')], [])).toBe(true);
    expect(expectation.compare([])).toBe(false);
  });

  it('after all tries nothing more is expected', () => {
    const expectation = new InboxExpectation();
    expectation.hear([requested('a')], []);
    expectation.giveUp();
    expect(expectation.compare([])).toBe(false);
  });
});
