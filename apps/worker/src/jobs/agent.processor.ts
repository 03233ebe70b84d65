import { z } from 'zod';
import type { TakenJob } from '#platform';
import type { RunHost } from '../run/run-host.js';

/** A job carries ids only; everything it means is in the log (house rule: a wiped queue loses nothing). */
const AgentJob = z.strictObject({ agentId: z.uuid(), epoch: z.int().min(1) });

/** Takes a job as a hint that an agent may be claimed under this epoch. Does nothing when that is no longer so. */
export class AgentProcessor {
  constructor(private readonly host: RunHost) {}

  async process(job: TakenJob): Promise<void> {
    const { agentId, epoch } = AgentJob.parse(job.payload);
    await this.host.run(agentId, epoch);
  }
}
