import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { KeyRing } from '../auth/key-ring.js';
import type { Principal } from '../auth/principal.js';
import { From, RequireScope } from '../auth/require-scope.js';
import { parseNothing } from '../http/parse-request.js';

/** `POST /v1/login-links`: a link into the dashboard that works once, with the tenant and the scopes of the key that asks for it. */
@Controller('v1/login-links')
export class LoginLinksController {
  constructor(private readonly keys: KeyRing) {}

  @Post()
  @HttpCode(201)
  @RequireScope('observe')
  make(@Body() body: unknown, @From() from: Principal) {
    parseNothing(body);
    return { path: `/login?token=${this.keys.makeLoginToken(from)}` };
  }
}
