import {
  absentAgent,
  type AgentMeta,
  type CommandTools,
  decodeEvent,
  evolve,
  KeptFolds,
  type TranscriptStore,
} from '#transcripts';

/** What every command handler needs to decide and append. Also the injection token. */
export class LogTools implements CommandTools {
  private readonly metas: KeptFolds<AgentMeta>;

  constructor(
    readonly store: TranscriptStore,
    readonly newId: () => string,
  ) {
    this.metas = new KeptFolds(store, {
      begin: absentAgent,
      headOf: ({ head }) => head,
      add: (meta, events) => events.reduce((folded, record) => evolve(folded, decodeEvent(record)), meta),
      // What is stored may be restored.
      mayKeep: ({ damage }) => damage === null,
    });
  }

  /** An agent as the log has it now, for those that are asked for with every launch and every end below them. */
  readonly current = (agentId: string): Promise<AgentMeta> => this.metas.upTo(agentId);
}
