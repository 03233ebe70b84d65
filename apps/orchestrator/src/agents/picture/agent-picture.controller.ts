import { Controller, Get, Header, Param, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { From, RequireScope } from '../../auth/require-scope.js';
import { parseRequest } from '../../http/parse-request.js';
import { AgentPicture } from './agent-picture.js';

const PictureRequest = z.strictObject({ version: z.coerce.number().pipe(z.int32().min(1)) });

/** `GET /v1/agents/:id/transcript/:version/picture`: the picture that a record of a transcript names, as it was stored. */
@Controller('v1/agents')
export class AgentPictureController {
  constructor(private readonly pictures: AgentPicture) {}

  // What a page made is shown as a picture and as nothing else.
  @Get(':id/transcript/:version/picture')
  @RequireScope('observe')
  @Header('x-content-type-options', 'nosniff')
  @Header('content-security-policy', `default-src 'none'; sandbox`)
  @Header('cross-origin-resource-policy', 'same-origin')
  async get(
    @Param('id') id: string,
    @Param('version') given: string,
    @From() from: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { version } = parseRequest(PictureRequest, { version: given });
    const { mediaType, isShown, sizeBytes, bytes } = await this.pictures.of(id, version, from);
    // What was recorded never changes; that there is nothing to show may change, and is not kept.
    reply.header('cache-control', 'private, max-age=31536000, immutable');
    return new StreamableFile(Readable.from(bytes, { objectMode: false }), {
      type: mediaType,
      length: sizeBytes,
      disposition: isShown ? 'inline' : 'attachment',
    });
  }
}
