import { setTimeout as pause } from 'node:timers/promises';

const eventLine = /^data: \{"specversion":"1\.0","id":"([^"]+)"/;

/** When events were committed and when each subscriber got them, by the monotonic clock of this process. */
export class Arrivals {
  private readonly committedAt = new Map<string, number>();
  private readonly arrivedAt = new Map<string, number[]>();

  /** `id` is known to be committed from now on. */
  committed(id: string): void {
    this.committedAt.set(id, performance.now());
  }

  /** A line of an event stream; those that are no event of ours are passed over. */
  heard(line: string): void {
    const id = eventLine.exec(line)?.[1];
    if (id === undefined) return;
    const arrivals = this.arrivedAt.get(id);
    if (arrivals === undefined) this.arrivedAt.set(id, [performance.now()]);
    else arrivals.push(performance.now());
  }

  /**
   * Milliseconds from the commit to each arrival; 0 where an event came before its writer knew of the commit. Waits until each
   * event came to each subscriber, and throws when one did not within `waitMs`, or came twice.
   */
  async latenciesMs(subscribers: number, waitMs = 20_000): Promise<readonly number[]> {
    for (let waitedMs = 0; waitedMs < waitMs && !this.isComplete(subscribers); waitedMs += 20)
      await pause(20);
    const latencies: number[] = [];
    for (const [id, since] of this.committedAt) {
      const arrivals = this.arrivedAt.get(id) ?? [];
      if (arrivals.length !== subscribers)
        throw new Error(`Event ${id} came ${arrivals.length} times to ${subscribers} subscribers.`);
      for (const at of arrivals) latencies.push(Math.max(0, at - since));
    }
    return latencies;
  }

  clear(): void {
    this.committedAt.clear();
    this.arrivedAt.clear();
  }

  private isComplete(subscribers: number): boolean {
    return [...this.committedAt.keys()].every((id) => this.arrivedAt.get(id)?.length === subscribers);
  }
}
