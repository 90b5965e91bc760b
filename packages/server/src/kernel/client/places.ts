import { isIP } from 'node:net'
import type { Message } from '@sekisho/contract/language'
import { problemOf } from '../texts/index.ts'
import { readAddressBlocks } from './client-address.ts'

/** Shown for an address in none of the networks that have names. */
const ELSEWHERE = 'その他のネットワーク'

/**
 * Names the network of an address, from entries such as `本社=192.0.2.0/24`; the first match counts. Without entries places are omitted.
 * Invalid entries are added to `problems`.
 */
export function readPlaces(
  entries: readonly string[],
  problems: Message[],
): (address: string) => string | null {
  const networks = entries.flatMap((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0)).trim()
    if (name === '' || name.length > 40) {
      problems.push(problemOf('bad_place', JSON.stringify(entry)))
      return []
    }
    return [{ name, list: readAddressBlocks([entry.slice(at + 1).trim()], problems) }]
  })
  return (address) => {
    const family = isIP(address)
    if (networks.length === 0 || family === 0) return null
    const found = networks.find(({ list }) => list.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    return found?.name ?? ELSEWHERE
  }
}
