import { everyPointer, type LogPlace, type Pointer, pointersSince, type TranscriptStore } from '#transcripts';
import type { OperationTools } from '../operation-tools.js';

type Pool = OperationTools['pool'];

/** What agents of the log belong to and inherit from, as far as it lies in other trees than their own; brought up to date before each look. */
export class ForeignPointers {
  private readonly pointers: Pointer[] = [];

  private constructor(
    private readonly pool: Pool,
    private readonly store: TranscriptStore,
    private readonly rootOf: ReadonlyMap<string, string>,
    private place: LogPlace,
  ) {}

  /** `rootOf` holds the agents that may be archived. Every fork that was launched before `place` is looked at. */
  static async collect(
    pool: Pool,
    store: TranscriptStore,
    rootOf: ReadonlyMap<string, string>,
    place: LogPlace,
  ): Promise<ForeignPointers> {
    const pointers = new ForeignPointers(pool, store, rootOf, place);
    for await (const pointer of everyPointer(pool)) pointers.note(pointer);
    return pointers;
  }

  /** A place up to which everything was looked at. */
  get lookedUpTo(): LogPlace {
    return this.place;
  }

  /** Looks at what was launched since the last look. */
  async goOn(): Promise<void> {
    const end = await this.store.logEnd();
    for (const pointer of await pointersSince(this.pool, this.place)) this.note(pointer);
    this.place = end ?? this.place;
  }

  /** An agent outside of a tree that points into it and is not gone. */
  into(root: string, gone: ReadonlySet<string>): string | null {
    const found = this.pointers.find(({ from, to }) => this.rootOf.get(to) === root && !gone.has(from));
    return found?.from ?? null;
  }

  private note(pointer: Pointer): void {
    const root = this.rootOf.get(pointer.to);
    if (root !== undefined && this.rootOf.get(pointer.from) !== root) this.pointers.push(pointer);
  }
}
