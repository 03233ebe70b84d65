import { expect, it } from '@jest/globals';
import { sentStatements } from './statement-log.js';

const log = [
  'postgres|LOG:  database system is ready to accept connections',
  'offshoot-worker-1|LOG:  execute append-straight: insert into event (generation)',
  '\tselect 1',
  'offshoot-worker-1|LOG:  execute <unnamed>: ',
  '\t    -- Claim the next job',
  'offshoot-views|LOG:  statement: begin;',
  '\tset local synchronous_commit = off;',
  '\tselect place from checkpoint',
  '\t  where reader = 1;',
  'offshoot-views|LOG:  statement: commit',
  'statement-log|LOG:  statement: select pg_reload_conf()',
  'offshoot-views|ERROR:  deadlock detected',
  'offshoot-views|STATEMENT:  update dispatch set sent = 1',
  '',
].join('\n');

it('every statement in a server log counts once, also where one message holds several, whoever failed at it, and those of the counter never', () => {
  expect(sentStatements(log)).toEqual([
    { application: 'offshoot-worker-1', text: 'insert into event (generation)' },
    { application: 'offshoot-worker-1', text: '-- Claim the next job' },
    { application: 'offshoot-views', text: 'begin;' },
    { application: 'offshoot-views', text: 'set local synchronous_commit = off;' },
    { application: 'offshoot-views', text: 'select place from checkpoint' },
    { application: 'offshoot-views', text: 'commit' },
  ]);
});
