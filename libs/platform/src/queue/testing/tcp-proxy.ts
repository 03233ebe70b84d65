import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly inner: Socket;
  readonly outer: Socket;
  isLost: boolean;
}

/** A proxy in front of a server that can be away, or silent, without touching the server. */
export class TcpProxy {
  readonly #target: URL;
  readonly #pairs = new Set<Pair>();
  #server: Server;
  #port = 0;
  #silent = false;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = this.#makeServer();
  }

  /** Starts in front of the server that the URL names (its port must be stated). */
  static async open(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    await proxy.#listen(0);
    return proxy;
  }

  /** The URL of the target, but through the proxy. */
  get url(): string {
    const url = new URL(this.#target.href);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** Ends all connections and refuses new ones. */
  async goAway(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#endAll();
    await closed;
  }

  async comeBack(): Promise<void> {
    this.#silent = false;
    this.#server = this.#makeServer();
    await this.#listen(this.#port);
  }

  /** Ends all connections once; new ones are taken. */
  hangUp(): void {
    this.#endAll();
  }

  /** Half-open: connections stay and new ones are accepted, but no byte passes in either direction any more. */
  fallSilent(): void {
    this.#silent = true;
  }

  /** Bytes pass again, on new connections only. */
  speak(): void {
    this.#silent = false;
    this.#endAll();
  }

  /** Half-open for the connections of now, on both sides and for good; new ones work. */
  loseCurrent(): void {
    for (const pair of this.#pairs) {
      pair.isLost = true;
    }
  }

  async close(): Promise<void> {
    if (this.#server.listening) {
      await this.goAway();
    }
  }

  #makeServer(): Server {
    return createServer((inner) => this.#pair(inner)).on('error', () => undefined);
  }

  #pair(inner: Socket): void {
    const outer = connect(Number(this.#target.port), this.#target.hostname.replace(/^\[|\]$/g, ''));
    const pair: Pair = { inner, outer, isLost: false };
    this.#pairs.add(pair);
    this.#pass(pair, inner, outer);
    this.#pass(pair, outer, inner);
  }

  #pass(pair: Pair, from: Socket, to: Socket): void {
    const passes = (): boolean => !this.#silent && !pair.isLost;
    from.on('error', () => undefined);
    from.on('data', (bytes) => {
      if (passes()) to.write(bytes);
    });
    from.on('close', () => {
      if (!passes()) return;
      this.#pairs.delete(pair);
      to.destroy();
    });
  }

  #endAll(): void {
    for (const { inner, outer } of this.#pairs) {
      inner.destroy();
      outer.destroy();
    }
    this.#pairs.clear();
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => resolve());
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }
}
