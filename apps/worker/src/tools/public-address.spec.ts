import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

describe('public addresses', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.255',
    '100.128.0.1',
    '2606:4700::1111',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.168.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '203.0.113.9'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      'fe80::1',
      'fe80::1%eth0',
    ],
    ...[
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2001:0:1::',
      'localhost',
      '',
      '127.1',
      '0x7f.0.0.1',
    ],
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

  it('no address of a private network is ever public', () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '192.168', '169.254', '172.20'),
        fc.tuple(byte, byte, byte),
        (head, rest) => {
          const address = [...head.split('.'), ...rest].slice(0, 4).join('.');
          expect(isPublicAddress(address)).toBe(false);
          expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
        },
      ),
    );
  });
});
