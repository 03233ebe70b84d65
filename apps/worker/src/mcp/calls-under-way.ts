/** Counts calls by the connection they went out on, so that a connection can be ended when its last call has settled. */
export class CallsUnderWay<Connection> {
  private readonly counts = new Map<Connection, number>();

  constructor(private readonly onQuiet: (connection: Connection) => void) {}

  has(connection: Connection): boolean {
    return this.counts.has(connection);
  }

  /** Counts `work` until it settles, then passes its outcome on. */
  async during<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    this.counts.set(connection, (this.counts.get(connection) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.settle(connection);
    }
  }

  private settle(connection: Connection): void {
    const left = (this.counts.get(connection) ?? 1) - 1;
    if (left > 0) {
      this.counts.set(connection, left);
      return;
    }
    this.counts.delete(connection);
    this.onQuiet(connection);
  }
}
