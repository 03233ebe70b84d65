import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AgentAccess } from '../agents/agent-access.js';
import type { Principal } from '../auth/principal.js';
import { KeyRing } from '../auth/key-ring.js';
import { From, RequireScope, TakesQuery } from '../auth/require-scope.js';
import { parseStreamRequest, type StreamRequest } from './event-filter.js';
import { serveStream, startPlace, StreamRooms } from './serve-stream.js';

/** `/v1/events` and `/v1/agents/:id/events`: the log as a resumable stream (spec 05 §2). */
@Controller('v1')
export class EventsController {
  constructor(
    private readonly rooms: StreamRooms,
    private readonly access: AgentAccess,
    private readonly keys: KeyRing,
  ) {}

  @Get('events')
  @RequireScope('observe')
  @TakesQuery()
  all(
    @Query() query: unknown,
    @From() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    return this.serve(parseStreamRequest(query), principal, request, reply);
  }

  @Get('agents/:id/events')
  @RequireScope('observe')
  @TakesQuery()
  async one(
    @Param('id') id: string,
    @From() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const stream = parseStreamRequest(request.query);
    await this.access.exists(id, principal);
    return this.serve({ ...stream, agent: new Set([id]) }, principal, request, reply);
  }

  private async serve(
    stream: StreamRequest,
    principal: Principal,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const asJsonLines = (request.headers.accept ?? '').includes('application/jsonl');
    const lastEventId = request.headers['last-event-id'];
    const start = {
      request: stream,
      principal,
      asJsonLines,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
      onRevoked: (listener: () => void) => this.keys.onRevoked(principal, listener),
    };
    const place = await startPlace(this.rooms.store, start);
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': asJsonLines ? 'application/jsonl' : 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    reply.raw.flushHeaders();
    await serveStream(this.rooms, start, place, reply.raw);
  }
}
