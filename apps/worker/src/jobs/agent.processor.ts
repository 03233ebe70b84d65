import { z } from 'zod';
import { parseJobId, type TakenJob, type WorkerNotes } from '#platform';
import type { RunHost } from '../run/run-host.js';

/** A job carries ids only; everything it means is in the log (house rule: a wiped queue loses nothing). */
const AgentJob = z.strictObject({ agentId: z.uuid(), epoch: z.int().min(1) });

/** Takes a job as a hint that an agent may be claimed under this epoch. Does nothing when that is no longer so. */
export class AgentProcessor {
  constructor(
    private readonly host: RunHost,
    private readonly notes: Pick<WorkerNotes, 'tries'>,
  ) {}

  async process(job: TakenJob): Promise<void> {
    const { agentId, epoch } = AgentJob.parse(job.payload);
    if (isSecondTry(job)) await this.notes.tries({ agentId, epoch });
    await this.host.run(agentId, epoch);
  }
}

/** A worker may have been lost with the first one. */
const isSecondTry = ({ id, isTakenAgain }: TakenJob): boolean =>
  isTakenAgain || (parseJobId(id)?.dispatch ?? 0) > 0;
