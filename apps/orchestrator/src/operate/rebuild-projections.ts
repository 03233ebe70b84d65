import { type Projection, ProjectionShadow } from '#transcripts';
import { projectionsOver } from '../projections/projections.js';
import { OperationRefusedError } from './operation-refused-error.js';
import type { OperationTools } from './operation-tools.js';

export interface RebuiltProjection {
  readonly name: string;
  readonly events: number;
}

/**
 * Builds projections again from the beginning of the log, beside the ones in service, and swaps them in. Everything goes on meanwhile; readers
 * with effects are not touched. `name` narrows to one; an unknown one is refused before anything is built.
 */
export async function rebuildProjections(
  operation: OperationTools,
  name: string | null,
): Promise<readonly RebuiltProjection[]> {
  const rebuilt: RebuiltProjection[] = [];
  for (const projection of chosen(projectionsOver(operation.cache), name))
    rebuilt.push(await rebuild(operation, projection));
  return rebuilt;
}

function chosen(projections: readonly Projection[], name: string | null): readonly Projection[] {
  if (name === null) return projections;
  const found = projections.filter((projection) => projection.name === name);
  if (found.length > 0) return found;
  const names = projections.map((projection) => projection.name).join(', ');
  throw new OperationRefusedError(
    'PROJECTION_UNKNOWN',
    `There is no projection ${name}; there are ${names}.`,
  );
}

async function rebuild(operation: OperationTools, projection: Projection): Promise<RebuiltProjection> {
  const { pool, tools, onProgress } = operation;
  let applied = 0;
  const onApplied = (events: number): void => {
    applied = events;
    onProgress(`${projection.name}: ${events} events`);
  };
  const shared = { pool, store: tools.store, onProgress: onApplied };
  await ProjectionShadow.with(projection, shared, async (shadow) => {
    await shadow.catchUp();
    await shadow.replaceLive();
  });
  return { name: projection.name, events: applied };
}
