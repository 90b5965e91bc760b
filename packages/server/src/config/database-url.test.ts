import { expect, it } from 'vitest'
import { readDatabaseUrlOnly } from './database-url.ts'

const read = (url: string) => readDatabaseUrlOnly({ SEKISHO_DATABASE_URL: url }, () => '')

it.each([
  'postgres://gate:pw@127.0.0.1:5432/sekisho',
  'postgresql:///sekisho?host=/cloudsql/p:r:i',
  'postgres://gate@db.example.com/sekisho?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://gate@postgres/sekisho?sslmode=disable',
  'postgres://gate:p%40w@a.example.com:6432,b.example.com/sekisho?target_session_attrs=read-write&sslmode=verify-full',
  'postgres://gate@127.0.0.1,127.0.0.1:5433/sekisho?target_session_attrs=primary',
])('takes %s', (url) => expect(read(url)).toBe(url))

it.each([
  ['another protocol', 'mysql://gate:pw@127.0.0.1/sekisho'],
  ['no database', 'postgres://gate:pw@127.0.0.1'],
  ['no word about TLS to another machine', 'postgres://gate:pw@db.example.com/sekisho'],
  ['another machine behind a parameter', 'postgres://localhost/sekisho?host=db.example.com'],
  ['a certificate nobody checks', 'postgres://gate:pw@db.example.com/sekisho?sslmode=no-verify'],
  ['a mode that programs read differently', 'postgres://gate:pw@db.example.com/sekisho?sslmode=require'],
  ['a server of several without a name', 'postgres://gate:pw@127.0.0.1,,127.0.0.1:5433/sekisho'],
  [
    'a second server of which nothing is said about TLS',
    'postgres://gate:pw@127.0.0.1,db.example.com/sekisho',
  ],
  [
    'servers beside those before the path',
    'postgres://gate:pw@127.0.0.1,localhost/sekisho?host=db.example.com',
  ],
  ['ten servers', `postgres://gate:pw@${'localhost,'.repeat(9)}localhost/sekisho`],
  ['a port that is none', 'postgres://gate:pw@localhost,localhost:x/sekisho'],
  ['a standby', 'postgres://gate:pw@localhost/sekisho?target_session_attrs=standby'],
  ['any server', 'postgres://gate:pw@localhost/sekisho?target_session_attrs=any'],
  ['two words about TLS', 'postgres://gate:pw@h/sekisho?sslmode=verify-full&sslmode=disable'],
])('refuses %s, and repeats no password', (_row, url) => {
  expect(() => read(url)).toThrow(/^SEKISHO_DATABASE_URL must (?!.*pw)/)
})

it('comes from a file, and from one place only', () => {
  const file = { SEKISHO_DATABASE_URL_FILE: '/run/secrets/url' }
  const readFile = () => 'postgres://localhost/sekisho\n'
  expect(readDatabaseUrlOnly(file, readFile)).toBe('postgres://localhost/sekisho')
  expect(() =>
    readDatabaseUrlOnly({ ...file, SEKISHO_DATABASE_URL: 'postgres://localhost/a' }, readFile),
  ).toThrow('replaces')
  const missing = () => {
    throw new Error('ENOENT')
  }
  expect(() => readDatabaseUrlOnly(file, missing)).toThrow('cannot be read')
  expect(readDatabaseUrlOnly({}, missing)).toBeNull()
})

it('leads commands past a pooler, and both are checked', () => {
  const pooler = { SEKISHO_DATABASE_URL: 'postgres://gate@localhost:6432/sekisho' }
  const direct = 'postgres://gate@localhost,127.0.0.1:5433/sekisho'
  expect(readDatabaseUrlOnly({ ...pooler, SEKISHO_DATABASE_LISTEN_URL: direct }, () => '')).toBe(direct)
  expect(readDatabaseUrlOnly({ ...pooler, SEKISHO_DATABASE_LISTEN_URL_FILE: '/x' }, () => direct)).toBe(
    direct,
  )
  expect(() => readDatabaseUrlOnly({ SEKISHO_DATABASE_LISTEN_URL: direct }, () => '')).toThrow('set both')
  const clear = { ...pooler, SEKISHO_DATABASE_LISTEN_URL: 'postgres://gate@db.example.com/sekisho' }
  expect(() => readDatabaseUrlOnly(clear, () => '')).toThrow(/^SEKISHO_DATABASE_LISTEN_URL must say sslmode/)
})
