import { decodeEvent, type TranscriptStore } from '#transcripts';

/** How an approval that is no longer open came to that, in words for whoever answers it late (field case C15). */
export async function settlementOf(
  store: TranscriptStore,
  agentId: string,
  approvalId: string,
): Promise<string> {
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readStream(agentId, after);
    for (const record of page.events) {
      const settlement = settledBy(decodeEvent(record), approvalId);
      if (settlement !== null) return settlement;
    }
    after = page.next;
  }
  return 'ended with its agent';
}

function settledBy(event: ReturnType<typeof decodeEvent>, approvalId: string): string | null {
  if (event.type !== 'ApprovalResolved' && event.type !== 'ApprovalExpired') return null;
  if (event.data.approvalId !== approvalId) return null;
  if (event.type === 'ApprovalExpired') return 'has expired';
  return event.data.decision === 'allow' ? 'was allowed' : 'was denied';
}
