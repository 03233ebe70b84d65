import { accepted, PolicyCode, rejected, type Result } from '../rejection.js';

/** What a session was told about its project: bare mode takes nothing from it, safe mode nothing that was customised. */
export interface SessionTrust {
  readonly bareMode: boolean;
  readonly safeMode: boolean;
}

/** What comes from files that a project or a user may write; bundled definitions do not. */
export type LocalCustomisation = 'fork_profile' | 'agent definition';

/** Refuses local customisations in bare mode, then in safe mode (spec 02 §4); to be asked before any file is opened. */
export function judgeCustomisation(
  trust: SessionTrust,
  what: LocalCustomisation,
): Result<LocalCustomisation> {
  if (trust.bareMode) return refuse(PolicyCode.BARE_MODE, 'bare mode', what);
  return trust.safeMode ? refuse(PolicyCode.SAFE_MODE, 'safe mode', what) : accepted(what);
}

function refuse(code: PolicyCode, mode: string, what: LocalCustomisation): Result<never> {
  const named = what === 'fork_profile' ? 'a fork_profile' : 'an agent definition';
  const instead =
    what === 'fork_profile'
      ? 'Give the tools inline, as fork_tools.'
      : 'Bundled definitions may be launched; those of the user or the project may not.';
  return rejected(
    code,
    `The session is in ${mode}, which refuses local customisations such as ${named}. ${instead}`,
    {
      offenders: [what],
      ...(what === 'fork_profile' ? { parameter: what } : {}),
    },
  );
}
