import { type KeyStore, KeyWatch, type Logger } from '#platform';
import { Loop } from '../loops/loop.js';
import type { KeyRing } from './key-ring.js';
import type { LiveKeys } from './live-keys.js';

/** Open event streams carry no requests that would look: without a wake-up this is how long a revoked key's stream goes on. */
const readEveryMs = 1_000;
/** The use of a key is told to about a minute. */
const noteEveryMs = 60_000;

export interface KeyKeeperOptions {
  readonly databaseUrl: string;
  readonly store: KeyStore;
  readonly keys: LiveKeys;
  readonly ring: KeyRing;
  readonly logger: Logger;
}

/** Keeps what this process knows of the keys up to date, and the store about their use. */
export class KeyKeeper {
  private readonly watch: KeyWatch;
  private readonly loops: readonly Loop[];

  constructor(private readonly options: KeyKeeperOptions) {
    const { databaseUrl, keys, logger } = options;
    const reading = this.loop('keys', readEveryMs, () => keys.refresh());
    this.loops = [reading, this.loop('key-use', noteEveryMs, () => this.note())];
    this.watch = new KeyWatch({
      databaseUrl,
      applicationName: 'offshoot-keys',
      onChange: () => reading.wake(),
      onFault: (error) => logger.warn({ err: error }, 'the wake-up for keys is lost; it is made again'),
    });
  }

  async start(): Promise<void> {
    await this.watch.open();
    for (const loop of this.loops) loop.start();
  }

  async stop(): Promise<void> {
    await this.watch.close();
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.note().catch((error: unknown) =>
      this.options.logger.warn({ err: error }, 'the last use of keys was not noted'),
    );
  }

  private async note(): Promise<void> {
    const used = this.options.ring.takeUsed();
    if (used.length > 0) await this.options.store.touch(used);
  }

  private loop(name: string, restMs: number, work: () => Promise<void>): Loop {
    const { logger } = this.options;
    return new Loop({
      restMs,
      round: async () => {
        await work();
        return false;
      },
      onFault: (thrown) => logger.error({ err: thrown, loop: name }, 'a loop failed a round; it goes on'),
    });
  }
}
