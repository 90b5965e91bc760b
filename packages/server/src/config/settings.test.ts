import { DEFAULT_RETENTION } from '@sekisho/release'
import { expect, it } from 'vitest'
import { DEFAULT_DATA_DIR } from '../storage/data-folder.ts'
import { SETTING_TEXTS } from '../texts/index.ts'
import { SettingsReader } from './settings.ts'
import { SETTINGS } from './settings-table.ts'

it('has a sentence for every setting in each language, none in the other', () => {
  for (const name of Object.keys(SETTINGS)) {
    expect(Reflect.get(SETTING_TEXTS.ja, name), name).toMatch(/[ぁ-んァ-ヶ一-龠]/)
    expect(Reflect.get(SETTING_TEXTS.en, name).replace(/`[^`]*`/g, ''), name).not.toMatch(/[ぁ-んァ-ヶ一-龠]/)
  }
  expect(Object.keys(SETTING_TEXTS.ja)).toEqual(Object.keys(SETTINGS))
})

it('says what other rooms take for the same defaults', () => {
  expect(SETTINGS.SEKISHO_DATA_DIR.fallback).toBe(DEFAULT_DATA_DIR)
  const settings = new SettingsReader({})
  expect(settings.duration('SEKISHO_RELEASES_KEEP')).toBe(DEFAULT_RETENTION.keepMs)
  expect(settings.problems).toEqual([])
})

it.each([
  ['SEKISHO_KEEP_ALIVE', '10s', 10_000],
  ['SEKISHO_KEEP_ALIVE', '1h', 3_600_000],
  ['SEKISHO_STOP_WITHIN', '10s', 10_000],
  ['SEKISHO_AUDIT_KEEP', '1d', 86_400_000],
  ['SEKISHO_SESSION_IDLE', '20s', 20_000],
  ['SEKISHO_POLICY_KEEP', '0', 0],
  ['SEKISHO_POLICY_KEEP', '90s', 90_000],
] as const)('%s may be %s', (name, value, ms) => {
  const settings = new SettingsReader({ [name]: value })
  expect([settings.duration(name), settings.problems]).toEqual([ms, []])
})

it.each([
  ['secret', '/run/credentials/sekisho.service/secret'],
  ['/etc/sekisho/secret', '/etc/sekisho/secret'],
  ['./secret', './secret'],
])('reads the secret of %s, where systemd gives credentials, from %s', (name, path) => {
  const env = { SEKISHO_SECRET_FILE: name, CREDENTIALS_DIRECTORY: '/run/credentials/sekisho.service' }
  const read = new SettingsReader(env, (file) => `read from ${file}`)
  expect(read.secret('SEKISHO_SECRET')).toBe(`read from ${path}`)
})
