import type { Agent } from './agent.js';
import type { LiveEvent } from './cloud-event.js';
import { isAfter } from './instant.js';
import { number, text } from './read.js';
import { isUnfinished, leavesStatusOpen, statusAfter } from './status.js';

/** All agents the page knows, and those whose facts must be read again from the server. */
export interface Roster {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly stale: ReadonlySet<string>;
  readonly isLoaded: boolean;
}

export const emptyRoster: Roster = { agents: new Map(), stale: new Set(), isLoaded: false };

/** Takes in one page of the list; what a live event said later than the page is kept. */
export function withAgents(roster: Roster, page: readonly Agent[]): Roster {
  const agents = new Map(roster.agents);
  const stale = new Set(roster.stale);
  for (const agent of page) {
    const known = agents.get(agent.id);
    agents.set(agent.id, known === undefined ? agent : reconcile(known, agent));
    stale.delete(agent.id);
  }
  return { ...roster, agents, stale };
}

function reconcile(known: Agent, told: Agent): Agent {
  const refusals = Math.max(known.refusals, told.refusals);
  if (isAfter(known.updatedAt, told.updatedAt)) {
    const { status, epoch, worker, updatedAt, version } = known;
    return { ...told, status, epoch, worker, updatedAt, version, refusals };
  }
  // A newer row may hold events that are still on their way: from here its time decides what is news, not a version.
  const version = isAfter(told.updatedAt, known.updatedAt) ? null : known.version;
  return { ...told, epoch: told.epoch ?? known.epoch, refusals, version };
}

/** Ends a reading of the whole list: agents that no page named are read one by one before they are dropped. */
export function withListEnd(roster: Roster, named: ReadonlySet<string>): Roster {
  const stale = new Set(roster.stale);
  for (const id of roster.agents.keys()) if (!named.has(id)) stale.add(id);
  return { ...roster, stale, isLoaded: true };
}

/** Forgets an agent that the server does not know. */
export function withoutAgent(roster: Roster, id: string): Roster {
  const agents = new Map(roster.agents);
  const stale = new Set(roster.stale);
  agents.delete(id);
  stale.delete(id);
  return { ...roster, agents, stale };
}

/** Folds live events in their order. An event that is already in a row changes nothing. */
export function withEvents(roster: Roster, events: readonly LiveEvent[]): Roster {
  if (events.length === 0) return roster;
  const agents = new Map(roster.agents);
  const stale = new Set(roster.stale);
  for (const event of events) {
    const known = agents.get(event.agentId);
    if (known === undefined) stale.add(event.agentId);
    else if (isNews(known, event)) {
      agents.set(known.id, fold(known, event));
      if (leavesStatusOpen(event.name)) stale.add(known.id);
    }
  }
  return { ...roster, agents, stale };
}

function isNews(known: Agent, event: LiveEvent): boolean {
  if (known.version !== null && event.version !== null) return event.version > known.version;
  // Events of one append bear one time and arrive together, so only a row that no live event has touched is final.
  return known.version !== null || isAfter(event.at, known.updatedAt);
}

function fold(agent: Agent, event: LiveEvent): Agent {
  const base = {
    ...agent,
    status: statusAfter(event.name, agent.status),
    refusals: agent.refusals + (event.name === 'ToolCallRefused' ? 1 : 0),
    updatedAt: event.at,
    version: event.version ?? agent.version,
  };
  if (event.name === 'RunStarted') {
    return {
      ...base,
      epoch: number(event.facts, 'epoch') ?? agent.epoch,
      worker: text(event.facts, 'workerId', 'worker'),
    };
  }
  return base.status === 'running' ? base : { ...base, worker: null };
}

/** Compares with the set of unfinished agents: whoever is unfinished on one side only is read again. */
export function withLevel(roster: Roster, unfinished: readonly string[]): Roster {
  const named = new Set(unfinished);
  const stale = new Set(roster.stale);
  for (const agent of roster.agents.values()) {
    if (isUnfinished(agent.status) !== named.has(agent.id)) stale.add(agent.id);
    named.delete(agent.id);
  }
  for (const id of named) stale.add(id);
  return { ...roster, stale };
}
