import { BlockList, isIP } from 'node:net';

/** IPv4 that is no address of the public internet (IANA special-purpose registry, multicast and reserved space). */
const RESERVED_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Within the global unicast block of IPv6: documentation, and forms that carry an IPv4 address somewhere else. */
const RESERVED_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function listOf(networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

const reservedV4 = listOf(RESERVED_V4, 'ipv4');
const reservedV6 = listOf(RESERVED_V6, 'ipv6');
// Everything else of IPv6 (loopback, mapped IPv4, NAT64, link-local, unique local, multicast) lies outside this block.
const globalV6 = listOf([['2000::', 3]], 'ipv6');

/** Says whether a literal address is one of the public internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reservedV4.check(address, 'ipv4');
    case 6:
      return globalV6.check(address, 'ipv6') && !reservedV6.check(address, 'ipv6');
    default:
      return false;
  }
}
