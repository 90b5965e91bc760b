import type { Message } from '@sekisho/contract/language'
import { describe, expect, it } from 'vitest'
import { readPlaces } from './places.ts'

describe('the names of networks', () => {
  const placeOf = readPlaces(['本社=192.0.2.0/24', 'VPN = 2001:db8::/32', '広い網=192.0.0.0/8'], [])

  it.each([
    ['192.0.2.7', '本社'],
    ['192.1.2.7', '広い網'],
    ['2001:db8::1', 'VPN'],
    ['203.0.113.1', 'その他のネットワーク'],
    ['', null],
    ['unknown', null],
  ])('%s is in %s', (address, name) => {
    expect(placeOf(address)).toBe(name)
  })

  it('says nothing where networks have no names', () => {
    expect(readPlaces([], [])('192.0.2.7')).toBeNull()
  })

  it.each(['192.0.2.0/24', '=192.0.2.0/24', '本社=', '本社=192.0.2.0/99', '本社=localhost'])(
    'refuses %j',
    (entry) => {
      const problems: Message[] = []
      expect(readPlaces([entry], problems)('192.0.2.7')).not.toBe('本社')
      expect(problems).toHaveLength(1)
    },
  )
})
