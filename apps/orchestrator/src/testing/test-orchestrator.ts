import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';
import { type IncomingHttpHeaders, request as open } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyScope, KeyStore } from '#platform';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { AppModule } from '../app.module.js';
import { LiveKeys } from '../auth/live-keys.js';
import { createServer } from '../http/create-server.js';
import { migrateDatabase } from '../migrations/migrate-database.js';

/** An answer as it came, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** As a browser would send it back. */
  readonly cookie: string;
}

export interface Sent {
  readonly key?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is announced and never comes. */
  readonly keepsBody?: true;
  /** An event stream has no end: it is left when this is true of what came. */
  readonly isEnough?: (text: string) => boolean;
}

const adminKey = 'osk_orchestrator-of-a-spec';

/** The whole orchestrator in this process, over a database of its own, as it listens. */
export class TestOrchestrator {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly database: TestDatabase,
    /** `GET /v1/agents/:id` of everything that the router was given. */
    readonly routed: readonly string[],
  ) {}

  static async start(): Promise<TestOrchestrator> {
    const database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    const settings = {
      DATABASE_URL: database.url,
      OFFSHOOT_API_KEY: adminKey,
      OFFSHOOT_LOG_LEVEL: 'silent',
      HOST: '127.0.0.1',
    };
    for (const [name, value] of Object.entries(settings)) process.env[name] = value;
    for (const name of ['REDIS_URL', 'OFFSHOOT_CONFIG']) Reflect.deleteProperty(process.env, name);
    const app = await createServer(AppModule);
    const routed: string[] = [];
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', (route: RouteOptions) => void routed.push(...namesOf(route)));
    await app.listen(0, '127.0.0.1');
    return new TestOrchestrator(app, database, routed);
  }

  get adminKey(): string {
    return adminKey;
  }

  /** A key of a tenant, from the store; this process knows it then. */
  async keyOf(tenant: string, scope: KeyScope): Promise<{ readonly id: string; readonly key: string }> {
    const made = await this.app
      .get(KeyStore)
      .create({ name: `${scope} of ${tenant}`, tenant, scopes: [scope] });
    // A key that was looked for in vain just now is looked for again a moment later only.
    await this.app.get(LiveKeys).refresh();
    return made;
  }

  /** Ends a key and waits until this process has heard of it. */
  async revoke(id: string): Promise<void> {
    await this.app.get(KeyStore).revoke(id);
    await this.app.get(LiveKeys).refresh();
  }

  send(
    method: string,
    path: string,
    { key, json, headers: more, keepsBody, isEnough = () => false }: Sent = {},
  ): Promise<Answer> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const outgoing = open({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
        let text = '';
        const { statusCode: status = 0, headers: got } = response;
        const cookie = got['set-cookie']?.[0]?.split(';')[0] ?? '';
        const answer = () => resolve({ status, type: got['content-type'] ?? '', headers: got, text, cookie });
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!isEnough(text)) return;
          answer();
          outgoing.destroy();
        });
        response.once('end', answer).once('error', answer);
        if (keepsBody === true) response.once('end', () => outgoing.destroy());
      });
      outgoing.once('error', reject);
      if (keepsBody === true) outgoing.flushHeaders();
      else outgoing.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}

function namesOf({ method, url }: RouteOptions): readonly string[] {
  return [method].flat().map((one) => `${one} ${url}`);
}
