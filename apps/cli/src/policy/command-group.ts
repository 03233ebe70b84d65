import type { Command } from 'commander';

/** The command under which others stand (`policy check`, `policy suggest`): made by whichever is registered first. */
export function commandGroup(program: Command, name: string, description: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description(description);
}
