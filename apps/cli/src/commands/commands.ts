import type { RegisterCommand } from './register-command.js';
import { registerDemo } from './demo.js';
import { registerUp } from './up.js';

/** Every command of `offshoot`, in the order of the help. */
export const commands: readonly RegisterCommand[] = [registerUp, registerDemo];
