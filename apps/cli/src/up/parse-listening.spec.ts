import { describe, expect, it } from '@jest/globals';
import { parseListening } from './parse-listening.js';

describe('the message of a listening orchestrator', () => {
  it('says where, with or without a link that logs in', () => {
    expect(parseListening({ type: 'listening', address: 'http://127.0.0.1:1' })).toEqual({
      address: 'http://127.0.0.1:1',
    });
    const both = { address: 'http://[::1]:1', dashboardUrl: 'http://[::1]:1/login?token=t' };
    expect(parseListening({ type: 'listening', ...both })).toEqual(both);
  });

  it.each([
    undefined,
    'listening',
    { type: 'other', address: 'http://h:1' },
    { type: 'listening', address: 7 },
  ])('is not %j', (message) => expect(parseListening(message)).toBeUndefined());
});
