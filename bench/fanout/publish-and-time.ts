import { setTimeout as pause } from 'node:timers/promises';
import { interleave } from '../harness/interleave.js';
import { processUsage } from '../harness/process-usage.js';
import type { Arrivals } from './arrivals.js';
import type { Publisher } from './publishers.js';

/** A server with its subscribers connected. */
export interface Audience {
  readonly publisher: Publisher;
  readonly arrivals: Arrivals;
  readonly subscribers: number;
}

export interface Load {
  readonly rounds: number;
  /** Events of a round, and the pause between two of them on the average. */
  readonly events: number;
  readonly pauseMs: number;
}

export interface Fanned {
  /** Of every event to every subscriber, over all rounds. */
  readonly latenciesMs: readonly number[];
  /** Part of one core that the serving process took; null where the system does not say. */
  readonly cpuShare: number | null;
}

/** Publishes in turns to the audiences of all, and answers what was seen at each, in their order. */
export async function publishInTurns(audiences: readonly Audience[], load: Load): Promise<readonly Fanned[]> {
  const latencies = new Map<Audience, number[]>(audiences.map((audience) => [audience, []]));
  const shares = await interleave(
    audiences.map((audience) => ({
      name: audience.publisher.name,
      sample: async (round: number) => {
        const { latenciesMs, cpuShare } = await publishTo(audience, load);
        // The first round warms up connections and compiled code.
        if (round > 0) for (const latency of latenciesMs) latencies.get(audience)?.push(latency);
        return cpuShare ?? NaN;
      },
    })),
    { rounds: load.rounds },
  );
  return audiences.map((audience) => {
    const ofRounds = shares.get(audience.publisher.name) ?? [];
    const share = ofRounds.reduce((sum, part) => sum + part, 0) / ofRounds.length;
    return { latenciesMs: latencies.get(audience) ?? [], cpuShare: Number.isNaN(share) ? null : share };
  });
}

async function publishTo({ publisher, arrivals, subscribers }: Audience, load: Load): Promise<Fanned> {
  arrivals.clear();
  const before = await processUsage(publisher.pid);
  const since = performance.now();
  for (let event = 0; event < load.events; event += 1) {
    arrivals.committed(await publisher.publish());
    // No beat of its own: a steady one could fall in step with the pauses of a server.
    await pause(load.pauseMs * (0.5 + Math.random()));
  }
  const latenciesMs = await arrivals.latenciesMs(subscribers);
  const seconds = (performance.now() - since) / 1_000;
  const after = await processUsage(publisher.pid);
  const isKnown = before !== null && after !== null;
  return { latenciesMs, cpuShare: isKnown ? (after.cpuSeconds - before.cpuSeconds) / seconds : null };
}
