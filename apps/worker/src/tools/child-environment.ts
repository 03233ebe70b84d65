/** What a child process may know of the worker's environment. A list of what is let in: a denylist misses the key it has not heard of. */
const LET_IN = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
]);
const LOCALE = /^LC_[A-Z]+$/;

/** Nobody sits at these terminals: nothing may page or ask for a password. */
const UNATTENDED = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

/**
 * The environment of a tool's processes (spec 05 §7): no key, token, secret or password, no address of a
 * database, nothing of Offshoot's own. Idempotent, so it may be applied to what it made.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = Object.entries(source).flatMap(([name, value]) =>
    value !== undefined && (LET_IN.has(name) || LOCALE.test(name)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(entries), ...UNATTENDED };
}
