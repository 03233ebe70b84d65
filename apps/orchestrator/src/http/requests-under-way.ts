import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The requests that this process took on. While it ends, what it has begun it still answers, and what comes then is refused:
 * the framework closes the server only after everybody was told to let go of the database (field case N03).
 */
export class RequestsUnderWay {
  private readonly open = new Set<ServerResponse>();
  private isEnding = false;

  /** False when nothing is taken on any more. */
  begin(response: ServerResponse): boolean {
    if (this.isEnding) return false;
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    return true;
  }

  /** From now on nothing is taken on. */
  refuse(): void {
    this.isEnding = true;
  }

  /** Resolves when every request has its answer, or the time is over. Streams have begun theirs and end with their hub. */
  async answered(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    while (this.isAnyUnanswered() && performance.now() < deadline) await pause(10);
  }

  private isAnyUnanswered(): boolean {
    return [...this.open].some((response) => !response.writableEnded && !response.headersSent);
  }
}
