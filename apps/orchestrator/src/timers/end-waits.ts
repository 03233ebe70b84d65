import type { Pool } from 'pg';
import { accepted, type AgentMeta, type Decision, executeCommand, expireQuestion } from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import type { ApprovalInbox } from '../projections/approval-inbox/approval-inbox.js';
import type { QuestionInbox } from '../projections/question-inbox/question-inbox.js';

// Not clock_timestamp(): it may change within the statement, so no index is searched with it and every open wait is looked at.
const dueWaits = `
  select agent_id, tenant, epoch from agent_roster
  where wait_until is not null and wait_until <= statement_timestamp() and status = 'waiting' order by wait_until limit 200`;

interface DueWait {
  readonly agent_id: string;
  readonly tenant: string;
  readonly epoch: number;
}

/** Ends waits whose time is over on the database's clock. A waiting agent holds no worker; this makes it dispatchable (RUN-6). */
export async function endDueWaits(pool: Pool, tools: LogTools): Promise<void> {
  const { rows } = await pool.query<DueWait>(dueWaits);
  await Promise.all(
    rows.map(({ agent_id: stream, tenant, epoch }) =>
      executeCommand(tools, {
        stream,
        context: { actor: 'system:timers', tenant },
        decide: (meta) => endWait(meta, epoch),
      }),
    ),
  );
}

function endWait(meta: AgentMeta, epoch: number): Decision {
  const isThisWait = meta.status === 'waiting' && meta.epoch === epoch && meta.waitUntilMs !== null;
  return isThisWait ? accepted({ type: 'WaitEnded', data: { epoch, reason: 'timer' } }) : accepted();
}

/** Denies approvals that nobody answered in time. */
export async function expireApprovals(inbox: ApprovalInbox, tools: LogTools): Promise<void> {
  for (const { approvalId, agentId, tenant } of await inbox.due()) {
    const decide = (meta: AgentMeta): Decision =>
      meta.approvals.has(approvalId)
        ? accepted({ type: 'ApprovalExpired', data: { approvalId } })
        : accepted();
    await executeCommand(tools, { stream: agentId, context: { actor: 'system:timers', tenant }, decide });
  }
}

/** Answers questions that nobody answered in time with just that. */
export async function expireQuestions(inbox: QuestionInbox, tools: LogTools): Promise<void> {
  for (const { questionId, agentId, tenant } of await inbox.due()) {
    await executeCommand(tools, {
      stream: agentId,
      context: { actor: 'system:timers', tenant },
      decide: (meta) => expireQuestion(questionId, meta),
    });
  }
}
