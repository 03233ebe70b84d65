import type { Command } from 'commander';

/** Adds one command to the program. Each command has a file of its own and a place in the list of `commands.ts`. */
export type RegisterCommand = (program: Command) => void;
