import { readFile } from 'node:fs/promises';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { KeyRing } from '../auth/key-ring.js';
import { NoKey } from '../auth/require-scope.js';
import { EdgeCode, ProblemError } from '../http/problem.js';

/** Where the build leaves the page, beside this app's own output. */
const pageFolder = new URL('../../../dashboard/page/', import.meta.url);

/** The files of the page. A closed list: no path of a request ever reaches the file system. */
const files: ReadonlyMap<string, string> = new Map([
  ['index.html', 'text/html; charset=utf-8'],
  ['app.js', 'text/javascript; charset=utf-8'],
  ['app.css', 'text/css; charset=utf-8'],
]);

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The dashboard page. It holds no data: what it shows it asks for with the cookie that `/login` gives for a one-time token. */
@Controller()
export class DashboardController {
  constructor(private readonly keys: KeyRing) {}

  @Get()
  @NoKey()
  index(@Res() reply: FastifyReply) {
    return this.send('index.html', reply);
  }

  @Get('assets/:name')
  @NoKey()
  asset(@Param('name') name: string, @Res() reply: FastifyReply) {
    return this.send(name, reply);
  }

  @Get('login')
  @NoKey()
  login(@Query('token') token: unknown, @Res() reply: FastifyReply) {
    const cookie = typeof token === 'string' ? this.keys.exchange(token) : null;
    if (cookie === null) {
      throw new ProblemError(
        EdgeCode.UNAUTHENTICATED,
        'This link was used or is not valid. Each start prints a new one.',
      );
    }
    return reply
      .header('set-cookie', cookie)
      .header('referrer-policy', 'no-referrer')
      .status(303)
      .header('location', '/')
      .send();
  }

  private async send(name: string, reply: FastifyReply): Promise<void> {
    const type = files.get(name);
    if (type === undefined) throw new ProblemError(EdgeCode.NOT_FOUND, 'No such file.');
    const content = await readFile(new URL(name, pageFolder));
    await reply
      .header('content-type', type)
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(content);
  }
}
