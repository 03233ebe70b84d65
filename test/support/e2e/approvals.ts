import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../../apps/cli/src/api/api-client.js';

/** An approval as the inbox lists it. */
export interface ApprovalAnswer {
  readonly id: string;
  readonly agentId: string;
  readonly tool: string;
  readonly arguments: string;
  readonly status: string;
}

/** The open approvals, all pages of them. */
export async function pendingApprovals(api: ApiClient): Promise<readonly ApprovalAnswer[]> {
  const items: ApprovalAnswer[] = [];
  for (let after = ''; ;) {
    const page = await api.get<{ items: readonly ApprovalAnswer[]; next: string | null }>(
      `/v1/approvals?status=pending${after}`,
    );
    items.push(...page.items);
    if (page.next === null) return items;
    after = `&after=${page.next}`;
  }
}

/** Waits until each of the agents has one open approval that is meant, and answers them in the order of the agents. */
export async function untilAsked(
  api: ApiClient,
  agentIds: readonly string[],
  isMeant: (approval: ApprovalAnswer) => boolean = () => true,
  timeoutMs = 60_000,
): Promise<readonly ApprovalAnswer[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const pending = (await pendingApprovals(api)).filter(isMeant);
    const found = agentIds.flatMap((id) => pending.filter(({ agentId }) => agentId === id));
    if (found.length === agentIds.length) return found;
    if (performance.now() > deadline)
      throw new Error(`${found.length} of ${agentIds.length} approvals were asked for in ${timeoutMs} ms.`);
    await pause(100);
  }
}
