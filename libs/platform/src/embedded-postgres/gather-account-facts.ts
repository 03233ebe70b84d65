import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { AccountFacts } from './candidate-accounts.js';

const fallbackNobody = { uid: 65534, gid: 65534 };

/** Looks up what `candidateAccounts` needs for the cluster at `cluster` (absolute; may not exist yet). */
export async function gatherAccountFacts(cluster: string): Promise<AccountFacts> {
  const existing = await ownerOf(cluster);
  return {
    uid: process.geteuid?.(),
    isKnownUser: isKnownUser(),
    nobody: await findNobody(),
    owner: existing ?? (await ownerOfNearest(dirname(cluster))),
    clusterExists: existing !== undefined,
  };
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : { uid: found.uid, gid: found.gid };
}

async function ownerOfNearest(path: string): Promise<{ uid: number; gid: number }> {
  const found = await ownerOf(path);
  if (found !== undefined) return found;
  return path === dirname(path) ? { uid: 0, gid: 0 } : ownerOfNearest(dirname(path));
}

function isKnownUser(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** The id of `nobody` differs between systems, and the user database must know the id for `initdb`. */
async function findNobody(): Promise<{ uid: number; gid: number }> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = text
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  return uid > 0 && gid > 0 ? { uid, gid } : fallbackNobody;
}
