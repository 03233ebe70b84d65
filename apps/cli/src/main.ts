#!/usr/bin/env node
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { commands } from './commands/commands.js';

const packageFile = new URL('../../../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };

const program = new Command('offshoot')
  .description('Durable forks of LLM agents: run, watch and steer them.')
  .version(version)
  .showHelpAfterError('(offshoot --help lists the commands)');
for (const register of commands) register(program);

await program.parseAsync();
