import { BlockList, isIP } from 'node:net'
import type { GateRequest } from '@sekisho/wire'

/** Peers whose X-Forwarded-For is believed: addresses or CIDR blocks. Throws RangeError on anything else. */
export function createTrustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry)
  return list
}

/**
 * Finds who is asking: the peer itself, or, when the peer is a trusted proxy, the nearest hop in
 * X-Forwarded-For that is not one. A malformed hop ends the search at the last address that was believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: BlockList): string {
  let address = plainAddress(peer)
  if (forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()))
  while (isTrusted(address, trusted)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** Tells a handler who is asking, from the connection's address and what trusted proxies forwarded. */
export function withClientAddress<T>(
  handle: (request: GateRequest, peer: { readonly clientAddress: string }) => T,
  trusted: BlockList,
): (request: GateRequest, peer: { readonly remoteAddress: string }) => T {
  return (request, { remoteAddress }) => {
    const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined
    return handle(request, { clientAddress: clientAddress(remoteAddress, forwardedFor, trusted) })
  }
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 peers of a dual-stack listener appear as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  const wellFormed = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (family === 0 || rest.length > 0 || !wellFormed || length > bits) {
    throw new RangeError(`not an IP address or CIDR block: ${JSON.stringify(entry)}`)
  }
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
}
