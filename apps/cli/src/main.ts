#!/usr/bin/env node
import { Command } from 'commander';
import { commands } from './commands/commands.js';

const program = new Command('offshoot')
  .description('Durable forks of LLM agents: run, watch and steer them.')
  .showHelpAfterError('(offshoot --help lists the commands)');
for (const register of commands) register(program);

await program.parseAsync();
