import { namedBlobs } from '../events/named-blobs.js';
import { NO_STREAM, type SoundEvent, type StreamHead } from '../events/recorded-event.js';
import { verifyChain } from '../store/chain-verifier.js';
import { checkStorable } from '../store/check-storable.js';
import { UnstorableAppendError } from '../store/unstorable-append-error.js';
import { CarriedBlobs } from './carried-blobs.js';
import type {
  PortableBlob,
  PortableEvent,
  PortableFormat,
  PortableLostBlob,
  PortableTree,
} from './portable-records.js';

/** Why a tree cannot be taken in although its lines are whole. */
export interface TreeFault {
  readonly code: 'CHAIN_BROKEN' | 'EVENT_UNSTORABLE' | 'AGENT_UNANNOUNCED' | 'BLOB_ALTERED' | 'BLOB_MISSING';
  readonly message: string;
}

export interface SurveyedAgent {
  readonly agentId: string;
  /** Events that the tree's first line announced, and those that were found, whole and in order. */
  readonly announced: number;
  readonly head: StreamHead;
  /** Events without which it is no agent: a launch is three records, the opening of a session one. */
  readonly least: number;
}

/** A blob that an event of the file names and that the file does not hold: it was lost before, or the file is of the first format. */
export interface NamedBlob {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
}

export interface SurveyedTree {
  readonly root: string;
  readonly agents: readonly SurveyedAgent[];
  /** Named by its events and not in the file. */
  readonly absentBlobs: readonly NamedBlob[];
  readonly fault: TreeFault | null;
}

interface FoundAgent {
  readonly announced: number;
  head: StreamHead;
  least: number;
}

/** What a portable file says of one tree, record by record. The first fault counts; what follows it is counted and not judged. */
export class TreeSurvey {
  private readonly root: string;
  private readonly agents: Map<string, FoundAgent>;
  private readonly absentBlobs: NamedBlob[] = [];
  private readonly blobs = new CarriedBlobs();
  private fault: TreeFault | null = null;

  constructor(
    { root, agents }: PortableTree,
    private readonly format: PortableFormat,
  ) {
    this.root = root;
    this.agents = new Map(agents.map(({ agentId, events }) => [agentId, announcedAgent(events)]));
  }

  get blobCount(): number {
    return this.blobs.count;
  }

  /** The line at which a blob begins that no event has named yet; null when there is none. */
  get danglingLine(): number | null {
    return this.blobs.danglingLine;
  }

  /** True when every announced event was found, or the tree cannot be taken anyway. */
  get isComplete(): boolean {
    if (this.danglingLine !== null) return false;
    return this.fault !== null || [...this.agents.values()].every((a) => a.head.version === a.announced);
  }

  get result(): SurveyedTree {
    const { root, fault, absentBlobs } = this;
    const agents = [...this.agents].map(([agentId, agent]) => ({ agentId, ...agent }));
    return { root, agents, absentBlobs, fault };
  }

  /** False when the record cannot stand there; so do the other takers. */
  takeBootstrap(agentId: string): boolean {
    return this.danglingLine === null && this.agents.has(agentId);
  }

  takeBlob(record: PortableBlob, line: number): boolean {
    const verdict = this.blobs.takePart(record, line);
    const message = `The bytes of blob ${record.hash} are not what was stored.`;
    if (verdict === 'altered') this.fault ??= { code: 'BLOB_ALTERED', message };
    return verdict !== 'out_of_place';
  }

  takeLostBlob(record: PortableLostBlob): boolean {
    return this.blobs.takeLost(record);
  }

  takeEvent(record: PortableEvent): boolean {
    const named = namedBlobs(record);
    if (!this.blobs.mayBeNamed(named)) return false;
    this.fault ??= this.judge(record) ?? this.judgeBlobs(record, named);
    const agent = this.agents.get(record.stream);
    // Counted also when it is at fault: what is missing and what is wrong are two different answers.
    if (agent === undefined) return true;
    agent.head = { version: record.version, hash: record.hash };
    if (record.version === 1 && record.type === 'AgentLaunched') agent.least = 3;
    return true;
  }

  private judge(record: PortableEvent): TreeFault | null {
    const { stream: agentId, version } = record;
    const agent = this.agents.get(agentId);
    if (agent === undefined) {
      const message = `Agent ${agentId} has events in the tree of ${this.root}, which does not name it.`;
      return { code: 'AGENT_UNANNOUNCED', message };
    }
    const verdict = verifyChain([asRecorded(record)], agent.head);
    if (!verdict.ok) {
      const message = `The stream of agent ${agentId} does not verify at version ${version}: ${verdict.fault}.`;
      return { code: 'CHAIN_BROKEN', message };
    }
    return unstorable(record, agent.head);
  }

  /** Notes which of the named blobs are known to be lost; one of which the file says nothing is a fault. */
  private judgeBlobs(
    { stream: agentId, version }: PortableEvent,
    named: readonly string[],
  ): TreeFault | null {
    for (const hash of named) {
      const standing = this.blobs.standing(hash, this.format);
      const message = `Version ${version} of agent ${agentId} names blob ${hash}, which the file does not hold.`;
      if (standing === 'absent') return { code: 'BLOB_MISSING', message };
      if (standing === 'lost') this.absentBlobs.push({ agentId, version, hash });
    }
    return null;
  }
}

const announcedAgent = (announced: number): FoundAgent => ({ announced, head: NO_STREAM, least: 1 });

function unstorable(record: PortableEvent, expected: StreamHead): TreeFault | null {
  const { stream, command } = record;
  const claim = command === undefined ? {} : { idempotency: command };
  try {
    checkStorable({ stream, expected, events: [record], context: record, ...claim });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof UnstorableAppendError)) throw thrown;
    return { code: 'EVENT_UNSTORABLE', message: thrown.message };
  }
}

/** An event of a file as one of a log that it is not in yet. */
export function asRecorded({ record: _record, command: _command, ...event }: PortableEvent): SoundEvent {
  return { ...event, place: { generation: 1, xid: 0n, position: 0n } };
}
