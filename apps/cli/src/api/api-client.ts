/** A problem that the API answered with, in its own words (RFC 9457). */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** Requests to one orchestrator under one key. */
export class ApiClient {
  constructor(
    readonly address: string,
    private readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  /** Lines of a JSONL answer that does not end by itself. Ends when the signal fires. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator {
    const response = await fetch(`${this.address}${path}`, {
      headers: this.headers({ accept: 'application/jsonl' }),
      signal,
    });
    if (!response.ok || response.body === null) throw await problemOf(response);
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
  }

  private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = this.headers(body === undefined ? {} : { 'content-type': 'application/json' });
    const response = await fetch(`${this.address}${path}`, { method, headers, ...content });
    if (!response.ok) throw await problemOf(response);
    return (await response.json()) as T;
  }

  private headers(more: Readonly<Record<string, string>>): Record<string, string> {
    return { authorization: `Bearer ${this.key}`, ...more };
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  return new ApiProblem(response.status, problem.code ?? 'UNKNOWN', problem.detail ?? response.statusText);
}
