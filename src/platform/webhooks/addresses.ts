// Which IP addresses webhooks may be sent to. Someone who can enter a URL must not reach what only this machine can: its own
// ports, the private network, and the cloud's metadata service.

import { BlockList, isIP, isIPv6 } from 'node:net';

/** IANA's special-purpose registries, except for globally reachable ranges, plus what clouds reserve for their machines. */
const special4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared with a provider
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '168.63.129.16/32', // metadata and more for machines in Azure, though the address is public
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** Only 2000::/3 is public; these ranges in it are special. */
const special6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which has an IPv4 address in it
  '3fff::/20', // documentation
];
const global6 = '2000::/3';

export interface Addresses {
  /** Whether the operator has allowed the network of the address. */
  isAllowed(address: string): boolean;
  /** Whether messages may be sent to the address: it's public, or allowed. */
  isReachable(address: string): boolean;
}

type Lists = Readonly<Record<'allowed' | 'special' | 'global', BlockList>>;

/** `networks` are those that the operator allows, as IP addresses or in CIDR notation. */
export function webhookAddresses(networks: readonly string[]): Addresses {
  // Made with the first address, and not by each start.
  let lists: Lists | undefined;
  const isIn = (list: keyof Lists, address: string) => {
    lists ??= {
      allowed: blockListOf(networks),
      special: blockListOf([...special4, ...special6]),
      global: blockListOf([global6]),
    };
    return lists[list].check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
  const isAllowed = (address: string) => isIP(address) !== 0 && isIn('allowed', plainAddress(address));
  return {
    isAllowed,
    isReachable(given) {
      if (isIP(given) === 0) return false;
      const address = plainAddress(given);
      if (isAllowed(address)) return true;
      return !isIn('special', address) && (!isIPv6(address) || isIn('global', address));
    },
  };
}

/** An IPv4 address written as IPv6 reaches the same host. */
function plainAddress(address: string): string {
  const zoneless = address.replace(/%.*$/, '');
  if (!isIPv6(zoneless)) return zoneless;
  const written = URL.parse(`http://[${zoneless}]`)?.hostname.slice(1, -1) ?? zoneless;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
  if (mapped === null) return written;
  const bytes = [mapped[1], mapped[2]].flatMap((part) => {
    const value = Number.parseInt(part ?? '0', 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}
