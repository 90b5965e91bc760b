import { BlockList, isIP } from 'node:net'
import type { Message } from '@sekisho/contract/language'
import type { GateRequest } from '@sekisho/wire'
import { problemOf } from '../texts/index.ts'

/** Names of this machine in settings and URLs. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Addresses and CIDR blocks, of peers whose X-Forwarded-For is believed for example; anything else is left out, and added to `problems`. */
export function readAddressBlocks(entries: readonly string[], problems: Message[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const problem = addEntry(list, entry)
    if (problem !== null) problems.push(problemOf(problem, JSON.stringify(entry)))
  }
  return list
}

/**
 * Finds who is asking: the peer itself, or, when the peer is a trusted proxy, the nearest hop in
 * X-Forwarded-For that is not one. A malformed hop ends the search at the last address that was believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: BlockList): string {
  let address = plainAddress(peer)
  if (forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').map((hop) => plainAddress(withoutPort(hop.trim())))
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

/** Tells if the other end of a connection is in one of the networks. */
export function isTrustedPeer(peer: string, networks: BlockList): boolean {
  return isTrusted(plainAddress(peer), networks)
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Some proxies write `192.0.2.1:40000`, `[2001:db8::1]` and `[2001:db8::1]:40000`; an address of IPv6 without brackets has no port. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([0-9a-f:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5})$/i.exec(hop) ?? []
  return v6 ?? v4 ?? hop
}

/** IPv4 peers of a dual-stack listener appear as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

type AddressProblem = 'bad_address' | 'host_bits' | 'unspecified_address' | 'mapped_address'

/** Adds an entry, or reports its problem: entries are not repaired, since their intention is unknown. */
function addEntry(list: BlockList, entry: string): AddressProblem | null {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  const wellFormed = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (family === 0 || rest.length > 0 || !wellFormed || length > bits) return 'bad_address'
  if (prefix === undefined && /^(?:0\.0\.0\.0|[0:]+)$/.test(address)) return 'unspecified_address'
  if (/^::ffff:/i.test(address)) return 'mapped_address'
  if (family === 4 && numberOf(address) % 2 ** (32 - length) !== 0) return 'host_bits'
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
  return null
}

const numberOf = (ipv4: string): number => ipv4.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
