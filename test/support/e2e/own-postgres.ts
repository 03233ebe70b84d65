import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform';
import { endWithOwner } from '../../../libs/platform/src/embedded-postgres/end-with-owner.js';
import { freePort } from './free-port.js';

/** A PostgreSQL of one suite, to be stopped and started again at its address. A run that is killed leaves neither it nor its files. */
export class OwnPostgres {
  private constructor(
    private readonly dataDir: string,
    private server: EmbeddedPostgres,
    private endWatch: () => void,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-own-postgres-'));
    const server = await startEmbeddedPostgres({ dataDir, port: await freePort() });
    return new OwnPostgres(dataDir, server, endWithOwner(server.pid, dataDir));
  }

  get url(): string {
    return this.server.url;
  }

  /** `immediate` as a crash does it. */
  async stop(how: 'fast' | 'immediate'): Promise<void> {
    this.endWatch();
    await this.server.stop(how);
  }

  async startAgain(): Promise<void> {
    const { dataDir } = this;
    this.server = await startEmbeddedPostgres({ dataDir, port: this.server.port });
    this.endWatch = endWithOwner(this.server.pid, dataDir);
  }

  /** Stops it, if it runs, and removes its files. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
