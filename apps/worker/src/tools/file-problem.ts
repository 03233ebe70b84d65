/** Why a path cannot be used, in words for the model. */
export interface FileProblem {
  readonly ok: false;
  readonly problem: string;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'lies under something that is not a directory'],
  ['EISDIR', 'is a directory'],
  ['EEXIST', 'exists already'],
  ['EACCES', 'may not be accessed by this process'],
  ['EPERM', 'may not be changed by this process'],
  ['EROFS', 'is on a read-only file system'],
  ['ELOOP', 'runs through a link that was put there meanwhile, or through a circle of links'],
  ['ENAMETOOLONG', 'is too long for this file system'],
  ['ENXIO', 'is not a regular file'],
  ['ENOSPC', 'cannot be written: the disk is full'],
  ['EDQUOT', 'cannot be written: the quota is used up'],
]);

/** The `code` of a system error, or nothing. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A refusal that names the path as the model wrote it. */
export function refused(path: string, reason: string): FileProblem {
  return { ok: false, problem: `${JSON.stringify(path)} ${reason}.` };
}

/** Turns what a file system can be expected to answer into a refusal; throws anything else on. */
export function asFileProblem(error: unknown, path: string): FileProblem {
  const reason = REASONS.get(systemCode(error) ?? '');
  if (reason === undefined) throw error;
  return refused(path, reason);
}
