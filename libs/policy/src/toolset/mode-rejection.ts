import { PolicyCode, rejected, type Rejected } from '../rejection.js';
import { quoted, quotedList } from '../text/quoted.js';
import { CLOSED_REGISTRY_NAMES } from './registry-name.js';

/** The refusal of tools outside the closed list: every offender as written, in order, once; and the mode. */
export function modeRejection(mode: string, offenders: readonly string[]): Rejected {
  const unique = [...new Set(offenders)];
  return rejected(
    PolicyCode.TOOLS_OUTSIDE_MODE,
    `In mode ${quoted(mode)} these tools may not launch: ${quotedList(unique)}. ` +
      `Permitted outside Build mode are: ${CLOSED_REGISTRY_NAMES.join(', ')}.`,
    { offenders: unique, reason: 'mode' },
  );
}
