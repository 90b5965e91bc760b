import { expect, it } from 'vitest'
import { readDatabaseUrlOnly } from './database-url.ts'

const read = (url: string) => readDatabaseUrlOnly({ SEKISHO_DATABASE_URL: url }, () => '')

it.each([
  'postgres://gate:pw@127.0.0.1:5432/sekisho',
  'postgresql:///sekisho?host=/cloudsql/p:r:i',
  'postgres://gate@db.example.com/sekisho?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://gate@postgres/sekisho?sslmode=disable',
])('takes %s', (url) => expect(read(url)).toBe(url))

it.each([
  ['another protocol', 'mysql://gate:pw@127.0.0.1/sekisho'],
  ['no database', 'postgres://gate:pw@127.0.0.1'],
  ['no word about TLS to another machine', 'postgres://gate:pw@db.example.com/sekisho'],
  ['another machine behind a parameter', 'postgres://localhost/sekisho?host=db.example.com'],
  ['a certificate nobody checks', 'postgres://gate:pw@db.example.com/sekisho?sslmode=no-verify'],
  ['a mode that programs read differently', 'postgres://gate:pw@db.example.com/sekisho?sslmode=require'],
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
