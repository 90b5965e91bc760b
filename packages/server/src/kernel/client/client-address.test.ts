import type { Message } from '@sekisho/contract/language'
import { describe, expect, it } from 'vitest'
import { clientAddress, readAddressBlocks } from './client-address.ts'

const trusted = readAddressBlocks(['10.0.0.0/8', '2001:db8::1'], [])

const ROWS: readonly (readonly [row: string, peer: string, header: string | undefined, client: string])[] = [
  ['no header', '192.0.2.1', undefined, '192.0.2.1'],
  ['30 forged by a stranger', '192.0.2.1', '127.0.0.1', '192.0.2.1'],
  ['30 from the proxy', '10.0.0.2', '198.51.100.7', '198.51.100.7'],
  [
    '30 list: the nearest untrusted hop counts',
    '10.0.0.2',
    '127.0.0.1, 198.51.100.7, 10.0.0.9',
    '198.51.100.7',
  ],
  ['30 only trusted hops', '10.0.0.2', '10.0.0.3', '10.0.0.3'],
  ['30 malformed', '10.0.0.2', 'unknown', '10.0.0.2'],
  ['30 malformed behind a good hop', '10.0.0.2', '<script>, 198.51.100.7', '198.51.100.7'],
  ['30 a port', '10.0.0.2', '198.51.100.7:1234', '198.51.100.7'],
  ['30 a port behind each hop', '10.0.0.2', '127.0.0.1:1, 198.51.100.7:65535,10.0.0.9:80', '198.51.100.7'],
  ['30 IPv6 in brackets', '10.0.0.2', '[2001:db8::99]', '2001:db8::99'],
  ['30 IPv6 in brackets with a port', '10.0.0.2', '[2001:DB8::99]:443', '2001:DB8::99'],
  ['30 mapped IPv4 in brackets', '10.0.0.2', '[::ffff:198.51.100.7]:1', '198.51.100.7'],
  ['30 no port behind the colon', '10.0.0.2', '198.51.100.7:', '10.0.0.2'],
  ['30 two ports', '10.0.0.2', '198.51.100.7:1:2', '10.0.0.2'],
  ['30 a port that is a name', '10.0.0.2', '198.51.100.7:http', '10.0.0.2'],
  ['30 an open bracket', '10.0.0.2', '[2001:db8::99', '10.0.0.2'],
  ['30 nothing in brackets', '10.0.0.2', '[]:80', '10.0.0.2'],
  ['mapped IPv4', '::ffff:10.0.0.2', '198.51.100.7', '198.51.100.7'],
  ['IPv6 proxy', '2001:db8::1', '2001:db8::99', '2001:db8::99'],
]

describe('clientAddress', () => {
  it.each(ROWS)('%s', (_row, peer, header, client) => {
    expect(clientAddress(peer, header, trusted)).toBe(client)
  })

  it.each(['10.0.0.0/33', 'proxy.local', '10.0.0.1/8/8', '', '10.0.0.1/', '::1/129'])(
    'refuses the setting %j',
    (entry) => {
      const problems: Message[] = []
      expect(readAddressBlocks([entry], problems).rules).toEqual([])
      expect(problems).toHaveLength(1)
    },
  )
})
