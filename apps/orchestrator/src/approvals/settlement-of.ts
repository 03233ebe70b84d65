import { decodeEvent, type EventOf, type TranscriptStore } from '#transcripts';

/** How an approval or question that is no longer open came to that, in words for whoever answers it late (field case C15). */
export async function settlementOf(store: TranscriptStore, agentId: string, id: string): Promise<string> {
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readStream(agentId, after);
    for (const record of page.events) {
      const settlement = settledBy(decodeEvent(record), id);
      if (settlement !== null) return settlement;
    }
    after = page.next;
  }
  return 'ended with its agent';
}

function settledBy(event: ReturnType<typeof decodeEvent>, id: string): string | null {
  switch (event.type) {
    case 'ApprovalResolved':
    case 'ApprovalExpired':
      return event.data.approvalId === id ? settlementText(event) : null;
    case 'QuestionAnswered':
    case 'QuestionExpired':
      return event.data.questionId === id ? settlementText(event) : null;
    default:
      return null;
  }
}

type Settlement = EventOf<'ApprovalResolved' | 'ApprovalExpired' | 'QuestionAnswered' | 'QuestionExpired'>;

function settlementText(event: Settlement): string {
  switch (event.type) {
    case 'ApprovalResolved':
      return event.data.decision === 'allow' ? 'was allowed' : 'was denied';
    case 'QuestionAnswered':
      return 'was answered';
    case 'ApprovalExpired':
    case 'QuestionExpired':
      return 'has expired';
  }
}
