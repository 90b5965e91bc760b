import { expect, it } from 'vitest'
import { readHosts } from './hosts.ts'

it.each<[text: string, urls: readonly string[]]>([
  ['postgres://g:p@a/db', ['postgres://g:p@a/db']],
  [
    'postgres://g:p%40@a:1,b:2/db?sslmode=disable',
    ['postgres://g:p%40@a:1/db?sslmode=disable', 'postgres://g:p%40@b:2/db?sslmode=disable'],
  ],
  [
    'postgres://a,[::1]:5433/db?target_session_attrs=read-write',
    ['postgres://a/db', 'postgres://[::1]:5433/db'],
  ],
  [
    'postgres://a/db?x=1&target_session_attrs=primary&sslrootcert=/a%20b',
    ['postgres://a/db?x=1&sslrootcert=/a%20b'],
  ],
  ['postgresql:///db?host=/run/postgresql', ['postgresql:///db?host=/run/postgresql']],
])('%s', (text, urls) => expect(readHosts(text)).toEqual({ urls, problem: null }))

it.each([
  ['postgres://a', 'shape'],
  ['http://a/db', 'shape'],
  ['postgres://a,b:x/db', 'shape'],
  ['postgres://a,/db', 'hosts'],
  ['postgres://a,b/db?port=5433', 'hosts'],
  ['postgres://a/db?target_session_attrs=prefer-standby', 'session-attrs'],
  ['postgres://a/db?target_session_attrs=any&target_session_attrs=primary', 'session-attrs'],
])('%s: %s', (text, problem) => expect(readHosts(text)).toEqual({ urls: null, problem }))
