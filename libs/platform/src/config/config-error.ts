/** One variable that cannot be used: what it must be. Its value is left out, it may be a secret. */
export interface ConfigIssue {
  readonly variable: string;
  readonly accepted: string;
}

/** Thrown by `loadConfig` for the person who starts the process; names every bad variable. Never retried. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    const lines = issues.map(({ variable, accepted }) => `  ${variable} must be ${accepted}.`);
    super(`The configuration cannot be used:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.issues = issues;
  }
}
