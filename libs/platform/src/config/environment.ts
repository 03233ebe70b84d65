/**
 * Variables that carry a secret or an address of ours; none of them may reach a tool's process (spec 05 §7).
 * By shape and not by a list, because people keep other secrets in the environment too.
 */
const secretNames = [
  /^(DATABASE|REDIS)_URL$/,
  /^OFFSHOOT_/,
  /^PG[A-Z]/,
  /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i,
];

/** The environment of this process, for a child of the product itself; `changes` win, undefined leaves out. */
export function childEnvironment(
  changes: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
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
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !secretNames.some((shape) => shape.test(name))),
  );
}
