import { relative, resolve, sep } from 'node:path';
import { accepted, rejected, type Result } from '#policy';
import type { AgentMeta } from '#transcripts';
import { findWorkFolder } from '../files/work-folder.js';
import type { ParentSnapshot } from './parent-snapshot.js';

/** Where an agent works, relative to the project root; null for the root itself. */
export function workingDirOf({ launch }: AgentMeta): string | null {
  return launch?.workingDir ?? null;
}

/**
 * Where the agent of a definition is to work, relative to the project root; null for the root itself. It is given relative to the folder
 * of the caller and lies inside it, so that a launch narrows here too; left out, it is the caller's own.
 */
export async function resolveWorkingDir(
  given: string | undefined,
  { caller, runtime }: ParentSnapshot,
): Promise<Result<string | null>> {
  const own = workingDirOf(caller);
  if (given === undefined) return accepted(own);
  const root = resolve(runtime.projectRoot);
  const base = own === null ? root : resolve(root, own);
  const target = resolve(base, given);
  if (target === base) return accepted(own);
  if (!target.startsWith(base.endsWith(sep) ? base : base + sep))
    return refused(given, `it is outside ${base}.`);
  const workingDir = relative(root, target);
  const found = await findWorkFolder(root, workingDir);
  return found.ok ? accepted(workingDir) : refused(given, found.problem);
}

function refused(given: string, why: string): Result<never> {
  const message = `working_dir: "${given}" is not accepted: ${why} Give a directory that exists inside the folder of the launching agent, relative to it, or leave it out.`;
  return rejected('AGENT_CALL_INVALID', message, {
    offenders: [given],
    parameter: 'working_dir',
    reason: 'content',
  });
}
