import {
  absentAgent,
  type AgentMeta,
  type CommandTools,
  decodeEvent,
  evolve,
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

  /** The agent as the log has it now: of one that is known, only what was recorded since is read, however long it is. */
  async current(agentId: string): Promise<AgentMeta> {
    const known = this.metas.get(agentId);
    const meta = await loadMeta(this.tools.store, agentId, known);
    // One that nothing is added to may have been archived since.
    if (meta === known && (await this.tools.store.readHeads([agentId])).size === 0) {
      this.metas.delete(agentId);
      return absentAgent(agentId);
    }
    return meta.status === 'absent' ? meta : this.keep(meta);
  }

  /** Folds an event on where it continues what is known of its agent, so that a later `at` has less to read. */
  follow(event: RecordedEvent): void {
    const known = this.metas.get(event.stream);
    if (known?.head.version === event.version - 1) this.keep(evolve(known, decodeEvent(event)));
  }

  private keep(meta: AgentMeta): AgentMeta {
    this.metas.delete(meta.agentId);
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
