/** Variables that carry a secret; none of them may reach a tool's process (spec 05 §7). */
const secretName =
  /^(DATABASE_URL|REDIS_URL|OFFSHOOT_(?!DATA_DIR|WORKERS|WORKER_CONCURRENCY|LOG_LEVEL).*|PG.*)$|KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;

/** The environment of this process, for a child of the product itself; `changes` win. */
export function childEnvironment(changes: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Only the named variables, for programs that need no more than a path and a home. */
export function pickEnvironment(
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));
}

/** The environment without addresses and keys of ours, for what an agent starts: tools, MCP servers, hooks. */
export function withoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secretName.test(name)));
}
