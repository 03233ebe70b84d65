import { PolicyCode, rejected, type Rejected } from '../rejection.js';
import { type CallFields, isForkCall } from './call-fields.js';

const FORK_PARAMETERS = ['fork_tools', 'fork_profile', 'fork_turns'] as const;
const DEFINITION_PARAMETERS = ['model', 'working_dir'] as const;

/** Applicability: parameters that do not belong to this kind of launch, whatever they hold. */
export function judgeApplicability(fields: CallFields): Rejected | null {
  if (fields.has('isolation')) {
    return refuse(['isolation'], 'isolation is reserved and takes no value; leave it out.');
  }
  if (isForkCall(fields)) {
    const given = DEFINITION_PARAMETERS.filter((parameter) => fields.has(parameter));
    return refuse(
      given,
      `${given.join(' and ')} cannot be set for a fork, which keeps what its parent has; leave it out.`,
    );
  }
  const given = FORK_PARAMETERS.filter((parameter) => fields.has(parameter));
  return refuse(given, `${given.join(', ')} can only be given together with subagent_type "fork".`);
}

/** The named teammate: excludes every fork parameter, and is not supported alone either. */
export function judgeTeammate(fields: CallFields): Rejected | null {
  if (typeof fields.get('name') !== 'string') return null;
  const given = FORK_PARAMETERS.filter((parameter) => fields.has(parameter));
  const [parameter] = given;
  if (parameter === undefined) {
    return teammate(
      ['name'],
      'name',
      'name asks for a named teammate, which is not supported; leave name out.',
    );
  }
  return teammate(
    given,
    parameter,
    `name asks for a named teammate, which excludes ${given.join(', ')} and is not supported; leave name out.`,
  );
}

/** The combination: a list and a profile exclude each other, an empty list included. */
export function judgeCombination(fields: CallFields): Rejected | null {
  if (!fields.has('fork_tools') || !fields.has('fork_profile')) return null;
  return rejected(
    PolicyCode.AGENT_CALL_COMBINATION,
    'fork_tools and fork_profile exclude each other; give one of them (an empty fork_tools is a list that denies all).',
    { offenders: ['fork_tools', 'fork_profile'], parameter: 'fork_profile', reason: 'combination' },
  );
}

function refuse(given: readonly string[], message: string): Rejected | null {
  const [parameter] = given;
  if (parameter === undefined) return null;
  return rejected(PolicyCode.AGENT_CALL_NOT_APPLICABLE, message, {
    offenders: given,
    parameter,
    reason: 'applicability',
  });
}

function teammate(given: readonly string[], parameter: string, message: string): Rejected {
  return rejected(PolicyCode.TEAMMATES_NOT_SUPPORTED, message, {
    offenders: given,
    parameter,
    reason: 'teammate',
  });
}
