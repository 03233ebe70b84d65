import { describe, expect, it } from '@jest/globals';
import { encodeEvent, NO_STREAM } from '#transcripts';
import { event, InMemoryTranscriptStore, newAppend, newId } from '#transcripts/testing';
import type { Principal } from '../auth/principal.js';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';
import { AgentAccess } from './agent-access.js';

const of = (tenant: string): Principal => ({ keyId: tenant, tenant, scopes: new Set(['observe']) });

async function opened() {
  const store = new InMemoryTranscriptStore();
  const tools = new LogTools(store, newId);
  const access = new AgentAccess(tools, new MetaCache(tools));
  const agentId = newId();
  const record = async (
    ...[fact, expected = NO_STREAM]: readonly [Parameters<typeof encodeEvent>[0], typeof NO_STREAM?]
  ) => store.append(newAppend({ stream: agentId, expected, events: [encodeEvent(fact, newId())] }));
  const first = await record(event.sessionOpened({ sessionId: agentId }));
  if (!first.ok) throw new Error('The session was not opened.');
  return { access, agentId, record, head: first.head };
}

describe('access to agents', () => {
  it('[S14] [SEC-1] an agent of another tenant does not exist, in the words and the status of one that is nowhere', async () => {
    const { access, agentId } = await opened();
    // Its own tenant has just looked at it: what is known of it then is nobody else's.
    expect(await access.load(agentId, of('tenant-a'))).toMatchObject({ agentId, tenant: 'tenant-a' });
    const nowhere = await access.load(newId(), of('tenant-a')).catch((thrown: unknown) => thrown);
    expect(nowhere).toMatchObject({ problem: { code: 'AGENT_NOT_FOUND', status: 404 } });
    for (const ask of [access.load.bind(access), access.exists.bind(access)]) {
      await expect(ask(agentId, of('tenant-b'))).rejects.toEqual(nowhere);
      await expect(ask('agent-1', of('tenant-a'))).rejects.toEqual(nowhere);
    }
  });

  it('an agent is as the log has it now, whatever was known of it before', async () => {
    const { access, agentId, record, head } = await opened();
    expect(await access.load(agentId, of('tenant-a'))).toMatchObject({ head: { version: 1 }, closed: false });
    await record(event.sessionClosed(), head);
    expect(await access.load(agentId, of('tenant-a'))).toMatchObject({ head: { version: 2 }, closed: true });
  });
});
