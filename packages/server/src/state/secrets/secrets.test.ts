import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SecretError, type Secrets, secretFingerprintOf } from './secrets.ts'
import { openSqliteSecret } from './sqlite-secret.ts'

const CONTEXT = { issuer: 'https://issuer.test', projectId: 'p', origin: 'https://portal.test' }
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string]
const only = (secret: string): Secrets => ({ current: secret, previous: null })
const replacing = (previous: string, current: string): Secrets => ({ current, previous })

it('fingerprints differ, and tell nothing of a secret', () => {
  expect(secretFingerprintOf(FIRST)).toMatch(/^[0-9a-f]{24}$/)
  expect(secretFingerprintOf(FIRST)).not.toBe(secretFingerprintOf(SECOND))
  expect(secretFingerprintOf(FIRST)).not.toContain(FIRST.slice(0, 4))
})

describe('in SQLite', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sekisho-secret-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const open = (secrets: Secrets, context = CONTEXT) =>
    openSqliteSecret(join(folder, 'sessions.db'), context, secrets)

  it('the first secret is kept, another one refused, and one that names it takes over at once', async () => {
    expect(await open(only(FIRST)).agree()).toBe('current')
    expect(() => open(only(SECOND))).toThrow(SecretError)
    expect(() => open(replacing(THIRD, SECOND))).toThrow(/SEKISHO_SECRET_PREVIOUS_FILE/)
    expect(await open(only(FIRST)).agree()).toBe('current')
    expect(await open(replacing(FIRST, SECOND)).agree()).toBe('current')
    expect(() => open(only(FIRST))).toThrow(SecretError)
    expect(await open(only(SECOND)).agree()).toBe('current')
  })

  it('each portal has its own', async () => {
    await open(only(FIRST)).agree()
    expect(await open(only(SECOND), { ...CONTEXT, origin: 'http://localhost:3000' }).agree()).toBe('current')
  })
})
