import { expect, it } from '@jest/globals';
import { rejectionOf } from '../testing/fixtures.js';
import { judgeCustomisation } from './judge-customisation.js';

it('bare mode is told before safe mode, and either refuses', () => {
  const judge = (bareMode: boolean, safeMode: boolean) =>
    judgeCustomisation({ bareMode, safeMode }, 'fork_profile');
  expect(rejectionOf(judge(true, true))).toMatchObject({ code: 'BARE_MODE', parameter: 'fork_profile' });
  expect(rejectionOf(judge(false, true)).code).toBe('SAFE_MODE');
  expect(judge(false, false).ok).toBe(true);
});

it('definitions of the user and the project are refused for the same reason, without naming a parameter', () => {
  const { code, parameter } = rejectionOf(
    judgeCustomisation({ bareMode: false, safeMode: true }, 'agent definition'),
  );
  expect([code, parameter]).toEqual(['SAFE_MODE', undefined]);
});
