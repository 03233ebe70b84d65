import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { encodeEvent } from '#transcripts';
import { event, InMemoryTranscriptStore, newAppend, newId } from '#transcripts/testing';
import type { AuthenticatedRequest } from '../../auth/require-scope.js';
import { ProblemDetailsFilter } from '../../http/problem-details.filter.js';
import { LogTools } from '../../log/log-tools.js';
import { MetaCache } from '../../log/meta-cache.js';
import { AgentAccess } from '../agent-access.js';
import { AgentPictureController } from './agent-picture.controller.js';
import { AgentPicture } from './agent-picture.js';

const store = new InMemoryTranscriptStore();
const tools = new LogTools(store, newId);

@Module({
  controllers: [AgentPictureController],
  providers: [
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
    {
      provide: AgentPicture,
      useFactory: () => new AgentPicture(tools, new AgentAccess(tools, new MetaCache(tools))),
    },
  ],
})
class PictureModule {}

describe('the picture of a record', () => {
  const bytes = Buffer.concat([Buffer.from('\u0089PNG'), Buffer.alloc(600_000, 7)]);
  const agentId = newId();
  let app: NestFastifyApplication;
  let address: string;
  let hash: string;

  beforeAll(async () => {
    ({ hash } = await store.saveBlob(bytes));
    const picture = (mediaType: string, blob = hash) =>
      encodeEvent(event.toolCallFinished({ picture: { mediaType, blob, sizeBytes: 1 } }), newId());
    const opened = encodeEvent(event.sessionOpened({ sessionId: agentId }), newId());
    const events = [picture('image/png'), picture('text/html'), picture('image/png', '0'.repeat(64))];
    await store.append(newAppend({ stream: agentId, events: [opened, ...events] }));
    const adapter = new FastifyAdapter();
    app = await NestFactory.create<NestFastifyApplication>(PictureModule, adapter, { logger: false });
    adapter.getInstance().addHook('onRequest', (request: AuthenticatedRequest, _reply, done) => {
      const tenant = String(request.headers['x-tenant'] ?? 'tenant-a');
      request.principal = { keyId: 'spec', tenant, scopes: new Set(['observe']) };
      done();
    });
    await app.listen(0, '127.0.0.1');
    address = await app.getUrl();
  });
  afterAll(() => app.close());

  it('is served whole, as a picture and as nothing else', async () => {
    const answer = await ask(2);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; sandbox`,
      'cache-control': 'private, max-age=31536000, immutable',
    });
  });

  it('is handed out as bytes to keep when its type is none that browsers only show', async () => {
    const { headers } = await ask(3);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment');
  });

  it('[SEC-1] is not there for another tenant', async () => {
    const answer = await ask(2, { 'x-tenant': 'tenant-b' });
    expect(await answer.json()).toMatchObject({ status: 404, code: 'AGENT_NOT_FOUND' });
  });

  it.each([
    ['a record that names none', 1, 404, 'names no picture'],
    ['a picture that is not stored any more', 4, 404, 'is missing'],
    ['a record that does not exist', 99, 404, 'names no picture'],
    ['what is no version', 0, 422, 'version'],
  ])('is refused for %s, and the refusal is not kept', async (_what, version, status, detail) => {
    const answer = await ask(version);
    expect(answer.headers.get('cache-control')).toBeNull();
    expect(await answer.json()).toMatchObject({ status, detail: expect.stringContaining(detail) as unknown });
  });

  const ask = (version: number, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${address}/v1/agents/${agentId}/transcript/${version}/picture`, { headers });
});
