import { allOf } from '../all-of.js';
import { checkKeys } from '../front-matter/check-keys.js';
import { accepted, type Result } from '../rejection.js';
import { described } from '../text/described.js';
import {
  AGENT_CALL_PARAMETERS,
  type AgentCall,
  type AgentCallParameter,
  DEFAULT_DEFINITION,
  type RequestedLimits,
} from './agent-call.js';
import { type CallFields, contentFault, isForkCall } from './call-fields.js';
import { parseLimits } from './parse-limits.js';
import {
  flag,
  forkProfile,
  forkTools,
  forkTurns,
  onApproval,
  requiredText,
  shortText,
} from './parse-parameter.js';

const HTTP_ONLY: AgentCallParameter = 'toolCallId';

/**
 * Judges the content of a call whose shape is sound: each parameter in the published order, unknown keys last. `written`
 * holds the keys as given, those that count as absent included.
 */
export function parseContent(
  fields: CallFields,
  written: Iterable<string>,
  isHttp: boolean,
): Result<AgentCall> {
  const parsed = allOf({
    description: requiredText(fields, 'description'),
    prompt: requiredText(fields, 'prompt'),
    type: shortText(fields, 'subagent_type'),
    forkTools: forkTools(fields),
    forkProfile: forkProfile(fields),
    forkTurns: forkTurns(fields),
    name: noName(fields),
    model: shortText(fields, 'model'),
    background: flag(fields, 'run_in_background', isForkCall(fields)),
    workingDir: shortText(fields, 'working_dir'),
    limits: limits(fields),
    onApproval: onApproval(fields),
    toolCallId: isHttp ? shortText(fields, HTTP_ONLY) : accepted(undefined),
    unknown: noUnknown(written, isHttp),
  });
  if (!parsed.ok) return parsed;
  const { description, prompt, background, onApproval: answer, toolCallId, type, ...rest } = parsed.value;
  const common = {
    description,
    prompt,
    background,
    limits: rest.limits,
    onApproval: answer,
    ...given('toolCallId', toolCallId),
  };
  if (isForkCall(fields)) {
    return accepted({
      launch: 'fork',
      ...common,
      forkTurns: rest.forkTurns,
      ...given('forkTools', rest.forkTools),
      ...given('forkProfile', rest.forkProfile),
    });
  }
  return accepted({
    launch: 'definition',
    ...common,
    definition: type ?? DEFAULT_DEFINITION,
    ...given('model', rest.model),
    ...given('workingDir', rest.workingDir),
  });
}

function given<Key extends string, T>(key: Key, value: T | undefined): { readonly [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: T });
}

function limits(fields: CallFields): Result<RequestedLimits> {
  return fields.has('limits') ? parseLimits(fields.get('limits')) : accepted({});
}

/** A name that is a string was judged as a teammate before; any other is not a name at all. */
function noName(fields: CallFields): Result<undefined> {
  if (!fields.has('name')) return accepted(undefined);
  return contentFault('name', `name must be left out, not be ${described(fields.get('name'))}.`);
}

function noUnknown(written: Iterable<string>, isHttp: boolean): Result<undefined> {
  const known = AGENT_CALL_PARAMETERS.filter((parameter) => isHttp || parameter !== HTTP_ONLY);
  const unknown = checkKeys(written, known);
  const [first] = unknown?.offenders ?? [];
  if (unknown === null || first === undefined) return accepted(undefined);
  return contentFault(first, `Unknown parameters: ${unknown.fault}.`, unknown.offenders);
}
