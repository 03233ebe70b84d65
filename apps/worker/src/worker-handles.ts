import type { Logger, ModelPlaces, OperatorConfig, QueueBackend, SharedPauses, WorkerNotes } from '#platform';
import type { PostgresLog } from '#transcripts';

interface Handles {
  readonly workerId: string;
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly operator: OperatorConfig;
  readonly log: PostgresLog;
  readonly queue: QueueBackend;
  readonly pauses: SharedPauses;
  readonly notes: WorkerNotes;
  readonly places: ModelPlaces;
  readonly logger: Logger;
}

/** Connections and identity of this worker process. Also the injection token. */
export class WorkerHandles {
  readonly workerId: string;
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly operator: OperatorConfig;
  readonly log: PostgresLog;
  readonly queue: QueueBackend;
  readonly pauses: SharedPauses;
  readonly notes: WorkerNotes;
  readonly places: ModelPlaces;
  readonly logger: Logger;
  /** Whether the life sign is held at this moment; nothing is claimed before it is. */
  mayRun: () => boolean = () => false;

  constructor(handles: Handles) {
    this.workerId = handles.workerId;
    this.databaseUrl = handles.databaseUrl;
    this.concurrency = handles.concurrency;
    this.operator = handles.operator;
    this.log = handles.log;
    this.queue = handles.queue;
    this.pauses = handles.pauses;
    this.notes = handles.notes;
    this.places = handles.places;
    this.logger = handles.logger;
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.pauses.close();
    await this.notes.close();
    await this.places.close();
    await this.log.close();
  }
}
