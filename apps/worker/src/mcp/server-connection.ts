/**
 * One server of one session on one worker, shared by every run of the session here. Its states:
 *
 * closed      nothing is open; the next use opens it, no sooner than its backoff allows
 * opening     one attempt is under way, for everybody who asks meanwhile
 * live        initialised and listed; the list is read again on each run's start and whenever the server says that it changed
 * ended       the session or the worker is done with it; nothing opens it again
 *
 * live → closed when the server ends, refuses the session or cannot be reached. While a listing is known the tools stay
 * declared, and a reconnection is tried in the background; when that fails the server is reported and its tools are withheld.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from './backoff.js';
import { CallsUnderWay } from './calls-under-way.js';
import { describeFault, isSessionGone, isStreamFault, neverArrived } from './classify-fault.js';
import type { Endpoint, ToolCallRequest } from './endpoint.js';
import { isReachable } from './is-reachable.js';
import { listTools } from './list-tools.js';
import type { McpOptions } from './mcp-options.js';
import { type OpenClient, openClient } from './open-client.js';
import { emptyListing, readListing, type ServerListing } from './read-listing.js';
import { requestCall } from './request-call.js';
import { maskSecrets, resolveReferences } from './resolve-references.js';
import type { ServerConfig } from './server-config.js';
import { ServerUnavailableError } from './server-unavailable-error.js';
import { reasonText, WithheldCode } from './withheld.js';
import { withDeadline } from './with-deadline.js';

/** The longest that a call waits for a server whose next attempt is not due yet. */
const LONGEST_WAIT_MS = 5_000;
/** The longest that the start of a run waits for one: a server that is merely restarting should be there, one that stays away holds nothing up. */
const LONGEST_REFRESH_WAIT_MS = 2_000;
/** A server that announces changes without end is listed no more often than this. */
const LIST_REST_MS = 1_000;

export class ServerConnection {
  private live: OpenClient | null = null;
  private opening: Promise<OpenClient> | null = null;
  private known: ServerListing = emptyListing;
  private secrets: readonly string[] = [];
  /** Calls on their way, by the connection they went out on. */
  private readonly underWay = new CallsUnderWay<OpenClient>((open) => this.live === open || void open.end());
  private readonly ending = new AbortController();
  private refreshing: Promise<void> | null = null;
  private isProbing = false;
  private listedAtMs = 0;
  private relisting: NodeJS.Timeout | null = null;
  private reopening: NodeJS.Timeout | null = null;
  private readonly backoff = new Backoff();

  constructor(
    private readonly endpoint: Endpoint,
    private readonly options: McpOptions,
  ) {}

  /** What the server offers as far as it is known. */
  get listing(): ServerListing {
    return this.known;
  }

  /** Whether the operator vouches for what the server says of its tools. */
  get isTrusted(): boolean {
    return this.options.trusts(this.endpoint.config);
  }

  /** Takes resolved references out of a text. */
  mask(text: string): string {
    return maskSecrets(text, this.secrets);
  }

  /** Reads the list anew, connecting first where needed. Never rejects: a failure becomes part of the listing. */
  refresh(): Promise<void> {
    this.refreshing ??= this.refreshNow().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** Makes a call; once more on a fresh connection when the first certainly did not reach the server. Rejects with the fault. */
  async call(request: ToolCallRequest): Promise<unknown> {
    const first = await this.ready(request.signal);
    try {
      return await this.send(first, request);
    } catch (thrown) {
      if (!neverArrived(thrown)) throw thrown;
      await this.drop(first, thrown);
      return this.send(await this.ready(request.signal), request);
    }
  }

  /** Ends the connection for good, and the server with it where we started it. */
  async end(): Promise<void> {
    this.ending.abort(new ServerUnavailableError('the session is done with this server'));
    for (const timer of [this.relisting, this.reopening]) if (timer !== null) clearTimeout(timer);
    const open = this.live ?? (await this.opening?.catch(() => null)) ?? null;
    this.live = null;
    await open?.end();
  }

  private async send(open: OpenClient, { tool, ...rest }: ToolCallRequest): Promise<unknown> {
    const current = this.known.tools.get(tool.name);
    if (current === undefined)
      throw new ServerUnavailableError('the server does not offer this tool any more');
    if (current.digest !== tool.digest)
      throw new ServerUnavailableError(
        'the server has changed the definition of this tool since it was declared',
      );
    const request = { ...rest, tool: tool.name };
    return this.underWay.during(open, () => requestCall(open.client, request, this.options.deadlines));
  }

  private async ready(signal: AbortSignal): Promise<OpenClient> {
    if (this.live !== null) return this.live;
    const { waitMs } = this.backoff;
    if (waitMs > LONGEST_WAIT_MS)
      throw new ServerUnavailableError(
        `it cannot be reached; the next attempt is due in ${Math.ceil(waitMs / 1_000)} s`,
      );
    const opened = this.open(waitMs);
    return withDeadline(opened, this.options.deadlines.callMs, 'connecting', signal);
  }

  private async refreshNow(): Promise<void> {
    const held = this.live;
    if (held === null) return this.openWhenDue();
    try {
      await this.list(held);
    } catch (thrown) {
      await this.drop(held, thrown);
      if (neverArrived(thrown)) await this.openWhenDue();
      else this.failed(thrown);
    }
  }

  private async openWhenDue(): Promise<void> {
    const { waitMs } = this.backoff;
    if (this.opening === null && waitMs > LONGEST_REFRESH_WAIT_MS) return;
    await this.open(waitMs).catch(() => undefined);
  }

  /** One attempt for everybody who asks while it is under way. Its failure is reported once, whoever waits for it. */
  private open(afterMs: number): Promise<OpenClient> {
    if (this.live !== null) return Promise.resolve(this.live);
    this.opening ??= this.openNow(afterMs)
      .catch((thrown: unknown) => {
        this.failed(thrown);
        throw thrown;
      })
      .finally(() => (this.opening = null));
    return this.opening;
  }

  private async openNow(afterMs: number): Promise<OpenClient> {
    const { signal } = this.ending;
    // Rejects when the session is done with the server, before it and meanwhile.
    await delay(afterMs, undefined, { signal });
    const { childEnvironment, deadlines } = this.options;
    const opened = await openClient({
      config: this.resolve(),
      childEnvironment,
      cwd: this.endpoint.cwd,
      connectMs: deadlines.connectMs,
      signal,
      onListChanged: () => this.relistSoon(),
    });
    try {
      await this.list(opened);
    } catch (thrown) {
      await opened.end();
      throw thrown;
    }
    opened.client.onclose = () => void this.lost(opened);
    opened.client.onerror = (error) => {
      if (isStreamFault(error)) void this.probe(opened);
    };
    this.backoff.succeeded();
    this.live = opened;
    return opened;
  }

  private resolve(): ServerConfig {
    const resolved = resolveReferences(this.endpoint.config, this.options.referenced);
    if (!resolved.ok) throw new ServerUnavailableError(resolved.problem);
    this.secrets = resolved.secrets;
    return resolved.config;
  }

  private async list({ client }: OpenClient): Promise<void> {
    this.listedAtMs = Date.now();
    const { listMs } = this.options.deadlines;
    const raw = await withDeadline(listTools(client), listMs, 'listing its tools', this.ending.signal);
    this.known = readListing(this.endpoint.server, raw);
  }

  private relistSoon(): void {
    if (this.relisting !== null || this.ending.signal.aborted) return;
    const waitMs = Math.max(0, this.listedAtMs + LIST_REST_MS - Date.now());
    this.relisting = setTimeout(() => {
      this.relisting = null;
      // What is being read may be the list of before.
      void (this.refreshing ?? Promise.resolve()).then(() =>
        this.live === null ? undefined : this.refresh(),
      );
    }, waitMs).unref();
  }

  /** The stream of an HTTP server broke: an answer that was under way may never come. */
  private async probe(open: OpenClient): Promise<void> {
    if (this.isProbing || this.live !== open) return;
    this.isProbing = true;
    const isThere = await isReachable(open.client);
    this.isProbing = false;
    if (!isThere) await this.lost(open);
  }

  private async lost(open: OpenClient): Promise<void> {
    if (this.live !== open || this.ending.signal.aborted) return;
    await this.drop(open);
    this.reopenLater();
  }

  private reopenLater(): void {
    if (this.reopening !== null || this.ending.signal.aborted) return;
    this.reopening = setTimeout(() => {
      this.reopening = null;
      this.open(0).catch(() => undefined);
    }, this.backoff.waitMs).unref();
  }

  /**
   * Gives a connection up. Calls that a server refused because its session is gone learn so one by one: ending the connection under
   * them would make each look like a call that may have taken effect.
   */
  private async drop(open: OpenClient, why?: unknown): Promise<void> {
    if (this.live === open) this.live = null;
    if (!isSessionGone(why) || !this.underWay.has(open)) await open.end();
  }

  private failed(thrown: unknown): void {
    if (this.ending.signal.aborted) return;
    const problem = this.mask(describeFault(thrown));
    const reason = reasonText(WithheldCode.SERVER_FAILED, problem);
    this.known = { tools: new Map(), withheld: [{ name: `mcp__${this.endpoint.server}`, reason }] };
    this.backoff.failed();
    this.options.onFault(this.endpoint.server, problem);
    this.reopenLater();
  }
}
