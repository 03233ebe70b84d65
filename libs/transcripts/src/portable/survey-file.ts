import { NO_STREAM, type RecordedEvent, type StreamHead } from '../events/recorded-event.js';
import { verifyChain } from '../store/chain-verifier.js';
import { checkStorable } from '../store/check-storable.js';
import { UnstorableAppendError } from '../store/unstorable-append-error.js';
import { type PortableEvent, PortableRecord, type PortableTree } from './portable-records.js';
import { openLine } from './sealed-line.js';
import type { FileLine } from './split-lines.js';

/** Where a file ends to be what was written: the first line that is not, or the line behind the last one. */
export interface Tear {
  readonly line: number;
  readonly reason: 'cut' | 'altered' | 'not_a_record' | 'out_of_place' | 'ended_early';
}

/** Why a tree cannot be taken in although its lines are whole. */
export interface TreeFault {
  readonly code: 'CHAIN_BROKEN' | 'EVENT_UNSTORABLE' | 'AGENT_UNANNOUNCED';
  readonly agentId: string;
  readonly version: number;
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

export interface SurveyedTree {
  readonly root: string;
  readonly agents: readonly SurveyedAgent[];
  readonly fault: TreeFault | null;
}

export interface FileSurvey {
  readonly logId: string | null;
  readonly trees: readonly SurveyedTree[];
  /** Trees that the first line announced. */
  readonly announcedTrees: number;
  readonly events: number;
  readonly tear: Tear | null;
}

/**
 * Reads a portable file once without keeping its events: checks every seal, every chain and every count, and says what is there
 * whole, what is torn and what cannot be taken. Memory is bounded by one line and the list of agents.
 */
export async function surveyFile(lines: AsyncIterable<FileLine>): Promise<FileSurvey> {
  const surveyor = new Surveyor();
  for await (const line of lines) {
    surveyor.read(line);
    if (surveyor.isOver) break;
  }
  return surveyor.result();
}

interface FoundAgent {
  readonly announced: number;
  head: StreamHead;
  least: number;
}

interface OpenTree {
  readonly root: string;
  readonly agents: Map<string, FoundAgent>;
  fault: TreeFault | null;
}

class Surveyor {
  private readonly trees: OpenTree[] = [];
  private logId: string | null = null;
  private announcedTrees = 0;
  private events = 0;
  private lastLine = 0;
  private tear: Tear | null = null;
  private hasEnded = false;

  /** True when nothing that follows can count any more. */
  get isOver(): boolean {
    return this.tear !== null;
  }

  read({ number, text }: FileLine): void {
    this.lastLine = number;
    const reason = this.faultOf(text);
    if (reason !== null) this.tear = { line: number, reason };
  }

  result(): FileSurvey {
    const { logId, announcedTrees, events } = this;
    const tear =
      this.tear ?? (this.hasEnded ? null : { line: this.lastLine + 1, reason: 'ended_early' as const });
    const trees = this.trees.map(({ root, agents, fault }) => ({
      root,
      fault,
      agents: [...agents].map(([agentId, agent]) => ({ agentId, ...agent })),
    }));
    return { logId, trees, announcedTrees, events, tear };
  }

  private faultOf(text: string): Tear['reason'] | null {
    const opened = openLine(text);
    if (!opened.ok) return opened.fault;
    const parsed = PortableRecord.safeParse(opened.record);
    if (!parsed.success) return 'not_a_record';
    return this.mayStand(parsed.data) && this.take(parsed.data) ? null : 'out_of_place';
  }

  /** The first record opens the file, the last one closes it. */
  private mayStand({ record }: PortableRecord): boolean {
    return !this.hasEnded && (this.logId === null) === (record === 'export');
  }

  /** False when the record contradicts what stands before it. */
  private take(record: PortableRecord): boolean {
    switch (record.record) {
      case 'export':
        [this.logId, this.announcedTrees] = [record.logId, record.trees];
        return true;
      case 'tree':
        return this.takeTree(record);
      case 'event':
        return this.takeEvent(record);
      case 'agent_bootstrap':
        return this.isNamed(record.agentId);
      case 'end':
        this.hasEnded = true;
        return this.isAllThere(record);
    }
  }

  private isNamed(agentId: string): boolean {
    return this.trees.at(-1)?.agents.has(agentId) ?? false;
  }

  private isAllThere(end: { readonly trees: number; readonly events: number }): boolean {
    return this.isTreeComplete() && end.trees === this.trees.length && end.events === this.events;
  }

  private takeTree({ root, agents }: PortableTree): boolean {
    if (!this.isTreeComplete()) return false;
    const found = agents.map((agent) => [agent.agentId, announcedAgent(agent.events)] as const);
    this.trees.push({ root, agents: new Map(found), fault: null });
    return true;
  }

  private takeEvent(record: PortableEvent): boolean {
    const tree = this.trees.at(-1);
    if (tree === undefined) return false;
    this.events += 1;
    tree.fault ??= judge(tree, record);
    const agent = tree.agents.get(record.stream);
    // Counted also when it is at fault: what is missing and what is wrong are two different answers.
    if (agent === undefined) return true;
    agent.head = { version: record.version, hash: record.hash };
    if (record.version === 1 && record.type === 'AgentLaunched') agent.least = 3;
    return true;
  }

  private isTreeComplete(): boolean {
    const tree = this.trees.at(-1);
    if (tree === undefined || tree.fault !== null) return true;
    return [...tree.agents.values()].every(({ announced, head }) => head.version === announced);
  }
}

const announcedAgent = (announced: number): FoundAgent => ({ announced, head: NO_STREAM, least: 1 });

function judge(tree: OpenTree, record: PortableEvent): TreeFault | null {
  const { stream: agentId, version } = record;
  const agent = tree.agents.get(agentId);
  if (agent === undefined) {
    const message = `Agent ${agentId} has events in the tree of ${tree.root}, which does not name it.`;
    return { code: 'AGENT_UNANNOUNCED', agentId, version, message };
  }
  const verdict = verifyChain([asRecorded(record)], agent.head);
  if (!verdict.ok) {
    const message = `The stream of agent ${agentId} does not verify at version ${version}: ${verdict.fault}.`;
    return { code: 'CHAIN_BROKEN', agentId, version, message };
  }
  return unstorable(record, agent.head);
}

function unstorable(record: PortableEvent, expected: StreamHead): TreeFault | null {
  try {
    checkStorable({ stream: record.stream, expected, events: [record], context: record });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof UnstorableAppendError)) throw thrown;
    const { stream: agentId, version } = record;
    return { code: 'EVENT_UNSTORABLE', agentId, version, message: thrown.message };
  }
}

/** An event of a file as one of a log that it is not in yet. */
export function asRecorded({ record: _record, ...event }: PortableEvent): RecordedEvent {
  return { ...event, place: { generation: 1, xid: 0n, position: 0n } };
}
