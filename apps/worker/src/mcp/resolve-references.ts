import type { ServerConfig } from './server-config.js';

/** A configuration with its references resolved. Lives in memory only, as long as one connection. */
export interface ResolvedServer {
  readonly config: ServerConfig;
  /** What the references stood for: never to be seen in a log, an event or a result. */
  readonly secrets: readonly string[];
}

export type Resolution =
  ({ readonly ok: true } & ResolvedServer) | { readonly ok: false; readonly problem: string };

const REFERENCE = /\$\{env:([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Addresses and keys of the product itself: whoever may open a session must not learn them through a server of his own. */
const OURS = [
  /^(DATABASE|REDIS)_URL$/i,
  /^OFFSHOOT_/i,
  /^PG[A-Z]/i,
  /^(OPENAI|ANTHROPIC)_(API_KEY|AUTH_TOKEN)$/i,
];

/** Replaces every `${env:NAME}`. A variable that is not set, or that is ours, is a problem that names it and no value. */
export function resolveReferences(
  config: ServerConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Resolution {
  const found = referencesOf(config);
  const problem = found.map((name) => problemOf(name, environment)).find((each) => each !== null);
  if (problem !== undefined) return { ok: false, problem };
  const resolve = (text: string): string =>
    text.replaceAll(REFERENCE, (_whole, name: string) => environment[name] ?? '');
  return {
    ok: true,
    config: mapStrings(config, resolve),
    secrets: [...new Set(found.map((name) => environment[name] ?? ''))],
  };
}

function referencesOf(config: ServerConfig): readonly string[] {
  const names: string[] = [];
  mapStrings(config, (text) => {
    names.push(...Array.from(text.matchAll(REFERENCE), (match) => match[1] ?? ''));
    return text;
  });
  return names;
}

function problemOf(name: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  if (!NAME.test(name)) return `"\${env:${name}}" is not a reference to a variable`;
  if (OURS.some((shape) => shape.test(name))) return `the variable ${name} is not for servers`;
  return Object.hasOwn(environment, name) && environment[name] !== undefined
    ? null
    : `the variable ${name} is not set in the worker's environment`;
}

function mapStrings(config: ServerConfig, change: (text: string) => string): ServerConfig {
  const all = (record: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
  switch (config.kind) {
    case 'stdio':
      return {
        kind: 'stdio',
        command: change(config.command),
        args: config.args.map(change),
        env: all(config.env),
      };
    case 'http':
      return { kind: 'http', url: change(config.url), headers: all(config.headers) };
  }
}

/** Shorter values are words of every text; hiding them would garble it and hide nothing. */
const SHORTEST_SECRET = 4;

/** Takes resolved values out of a text that leaves the connection: a result, a reason, an error. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}
