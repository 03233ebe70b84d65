import { Controller, HttpCode, Post } from '@nestjs/common';
import { KeyRing } from '../auth/key-ring.js';
import { RequireScope } from '../auth/require-scope.js';

/** `POST /v1/login-links`: a link into the dashboard that works once, for where no supervisor prints one. */
@Controller('v1/login-links')
export class LoginLinksController {
  constructor(private readonly keys: KeyRing) {}

  @Post()
  @HttpCode(201)
  @RequireScope('admin')
  make() {
    return { path: `/login?token=${this.keys.makeLoginToken()}` };
  }
}
