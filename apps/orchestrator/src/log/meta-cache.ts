import {
  absentAgent,
  type AgentMeta,
  type CommandTools,
  decodeEvent,
  evolve,
  isSound,
  loadMeta,
  type RecordedEvent,
} from '#transcripts';

/** How many folded agents are kept; the least recently used one goes first. */
const capacity = 5_000;

/**
 * Folded agents for the readers of this process. A reader asks for an agent at least as new as the event it holds; what it
 * gets may be newer, which is harmless for readers that keep a level, not edges. Revival never uses this.
 */
export class MetaCache {
  private readonly metas = new Map<string, AgentMeta>();

  constructor(private readonly tools: CommandTools) {}

  /** The agent of an event, folded up to it at least. */
  async at(event: RecordedEvent): Promise<AgentMeta> {
    const known =
      this.metas.get(event.stream) ?? (event.version === 1 ? absentAgent(event.stream) : undefined);
    return this.keep(await this.upTo(event, known));
  }

  /** The agent as of the newest of its events that came by here; as the log has it when none did or it was let go since. */
  async latest(agentId: string): Promise<AgentMeta> {
    return this.keep(this.metas.get(agentId) ?? (await loadMeta(this.tools.store, agentId)));
  }

  /**
   * The agent as the log has it now: of one that is known, only what was recorded since is read, however long it is. Its last event is read
   * again and compared: where it is gone, or another, or damaged, nothing that was known counts.
   */
  async current(agentId: string): Promise<AgentMeta> {
    const known = this.metas.get(agentId);
    const meta = await loadMeta(this.tools.store, agentId, await this.stillTrue(known));
    if (meta.status !== 'absent') return this.keep(meta);
    this.metas.delete(agentId);
    return meta;
  }

  /** Folds an event on where it continues what is known of its agent, so that a later `at` has less to read. */
  follow(event: RecordedEvent): void {
    const known = this.metas.get(event.stream);
    if (known?.head.version === event.version - 1) this.keep(evolve(known, decodeEvent(event)));
  }

  /** A fold that ends at an event which is still the same. */
  private async stillTrue(known: AgentMeta | undefined): Promise<AgentMeta | undefined> {
    if (known === undefined) return undefined;
    const { version, hash } = known.head;
    const [last] = (await this.tools.store.readStream(known.agentId, version - 1, 1)).events;
    return last !== undefined && isSound(last) && last.hash === hash ? known : undefined;
  }

  private keep(meta: AgentMeta): AgentMeta {
    this.metas.delete(meta.agentId);
    // What is stored may be restored: nothing goes on from a fold that met damage.
    if (meta.damage !== null) return meta;
    this.metas.set(meta.agentId, meta);
    if (this.metas.size > capacity) this.metas.delete(this.metas.keys().next().value ?? '');
    return meta;
  }

  private async upTo(event: RecordedEvent, known: AgentMeta | undefined): Promise<AgentMeta> {
    if (known !== undefined && known.head.version >= event.version) return known;
    if (known?.head.version === event.version - 1) return evolve(known, decodeEvent(event));
    return loadMeta(this.tools.store, event.stream, known);
  }
}
