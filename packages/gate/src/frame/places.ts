import { isIP } from 'node:net'
import { createTrustedProxies } from './client-address.ts'

/** Shown for an address in none of the networks that have names. */
const ELSEWHERE = 'その他のネットワーク'

/**
 * Finds the name of the network that an address is in, from entries such as `本社=192.0.2.0/24`; the first that holds it
 * counts. Without entries nothing is said of where readers are. Throws RangeError on an entry that is no name and network.
 */
export function createPlaces(entries: readonly string[]): (address: string) => string | null {
  const networks = entries.map((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0)).trim()
    if (name === '' || name.length > 40)
      throw new RangeError(`not a name and a network, as in 本社=192.0.2.0/24: ${JSON.stringify(entry)}`)
    return { name, list: createTrustedProxies([entry.slice(at + 1).trim()]) }
  })
  return (address) => {
    const family = isIP(address)
    if (networks.length === 0 || family === 0) return null
    const found = networks.find(({ list }) => list.check(address, family === 6 ? 'ipv6' : 'ipv4'))
    return found?.name ?? ELSEWHERE
  }
}
