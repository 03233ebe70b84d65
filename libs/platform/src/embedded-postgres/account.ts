import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** Under which account the programs of the cluster run: PostgreSQL refuses to be root. */
export type Account =
  | { readonly kind: 'self' }
  /** A user namespace in which our own user appears under another id: same files, no rights over the machine. */
  | { readonly kind: 'namespace'; readonly uid: number; readonly gid: number }
  /** Another, unprivileged user, who must own the cluster's folder and reach the programs. */
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

/** Starts a program under an account. `cwd` is a folder that the account can enter. */
export function spawnAs(
  account: Account,
  command: string,
  args: readonly string[],
  options: SpawnOptions & { cwd: string },
): ChildProcess {
  switch (account.kind) {
    case 'self':
      return spawn(command, args, options);
    case 'namespace': {
      const mapping = [`--map-user=${account.uid}`, `--map-group=${account.gid}`];
      return spawn('unshare', ['--user', ...mapping, '--', command, ...args], options);
    }
    case 'user':
      return spawn(command, args, { ...options, uid: account.uid, gid: account.gid });
  }
}

/** In words, for messages. */
export function describeAccount(account: Account): string {
  switch (account.kind) {
    case 'self':
      return 'as the current user';
    case 'namespace':
      return `in a user namespace (as user ${account.uid})`;
    case 'user':
      return `as user ${account.uid}`;
  }
}
