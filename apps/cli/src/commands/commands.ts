import type { RegisterCommand } from './register-command.js';
import { registerArchive } from './archive.js';
import { registerDemo } from './demo.js';
import { registerDoctor } from './doctor.js';
import { registerExport } from './export.js';
import { registerImport } from './import.js';
import { registerKeysCreate } from './keys-create.js';
import { registerKeysList } from './keys-list.js';
import { registerKeysRevoke } from './keys-revoke.js';
import { registerPolicyCheck } from './policy-check.js';
import { registerPolicySuggest } from './policy-suggest.js';
import { registerProfilesCheck } from './profiles-check.js';
import { registerProjectionsRebuild } from './projections-rebuild.js';
import { registerUp } from './up.js';

/** Every command of `offshoot`, in the order of the help. */
export const commands: readonly RegisterCommand[] = [
  registerUp,
  registerDemo,
  registerPolicyCheck,
  registerPolicySuggest,
  registerProfilesCheck,
  registerKeysCreate,
  registerKeysList,
  registerKeysRevoke,
  registerExport,
  registerImport,
  registerArchive,
  registerDoctor,
  registerProjectionsRebuild,
];
