import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Non-public addresses (RFC 6890 and its registries), written as IPv4 or IPv6. */
const PRIVATE = new BlockList()
for (const [net, bits] of [
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
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
/** Of IPv6 only global unicast, less what leads back to IPv4, and documentation. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23], // Teredo, ORCHID and other protocol assignments
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

/** Tells if an address is publicly reachable on the internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4')
  return isIP(address) === 6 && GLOBAL.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}

const DNS = { timeout: 1_500, tries: 2, maxTimeout: 3_000 }
const NO_ADDRESSES: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * All addresses by c-ares, on sockets of its own: `dns.lookup` holds one of libuv's four threads for as long as a name server likes, and
 * with them every other lookup and file of the gate.
 */
export async function resolveAll(host: string): Promise<readonly string[]> {
  const resolver = new Resolver(DNS)
  const none = (error: { readonly code?: unknown }): string[] => {
    if (NO_ADDRESSES.has(error.code)) return []
    throw error
  }
  const found = [resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]
  try {
    return (await Promise.all(found)).flat()
  } finally {
    resolver.cancel()
    await Promise.allSettled(found)
  }
}

/**
 * Lookup that finds this address alone, for a connection whose certificate is the host's and whose address is the one that was checked.
 * Node asks for all of them or for one.
 */
export function lookupOf(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, { all }, done) =>
    all === true ? done(null, [{ address, family }]) : done(null, address, family)
}
