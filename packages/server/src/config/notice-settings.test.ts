import { expect, it } from 'vitest'
import { readNoticeSettings } from './notice-settings.ts'
import { SettingsReader } from './settings.ts'

const KEY = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
function read(env: Record<string, string>, key = KEY) {
  const settings = new SettingsReader(env, () => key)
  const notices = readNoticeSettings(settings)
  return { notices, problems: settings.problems.map(({ code }) => code) }
}
const webhook = (url: string, more: Record<string, string> = {}) => ({
  ...{ SEKISHO_NOTICES_WEBHOOK: url, SEKISHO_NOTICES_KEY_FILE: 'key' },
  ...more,
})
const mail = (url: string, more: Record<string, string> = {}) => ({
  ...{ SEKISHO_NOTICES_SMTP: url, SEKISHO_NOTICES_FROM: 'docs@example.co.jp' },
  ...more,
})
const NAMED = { SEKISHO_NOTICES_PRIVATE_HOSTS: 'relay.internal' }

it('are off unless a receiver is named', () => {
  expect(read({ SEKISHO_NOTICES_EVERY: 'daily', ...NAMED })).toEqual({ notices: null, problems: [] })
})

it('read channel and mail server', () => {
  const env = { ...webhook('https://hooks.example/a'), ...mail('smtps://me:pass@mail.example'), ...NAMED }
  const owners = { SEKISHO_NOTICES_OWNERS: '決済 = pay@example.co.jp', SEKISHO_NOTICES_EVERY: 'daily' }
  expect(read({ ...env, ...owners, SEKISHO_NOTICES_GROUPS: 'operators' })).toMatchObject({
    notices: {
      webhook: { format: 'json', key: new Uint8Array(32).fill(1), groups: new Set(['operators']) },
      mail: { from: 'docs@example.co.jp', owners: new Map([['決済', 'pay@example.co.jp']]) },
      ...{ privateHosts: new Set(['relay.internal']), everyDays: 1 },
    },
    problems: [],
  })
})

it.each([
  [webhook('http://hooks.example/a'), 'bad_notices_webhook'],
  [webhook('http://relay.internal/a'), 'bad_notices_webhook'],
  [webhook('https://me@hooks.example/a'), 'bad_notices_webhook'],
  [webhook('smtp://hooks.example/a'), 'bad_notices_webhook'],
  [{ SEKISHO_NOTICES_WEBHOOK: 'https://hooks.example/a' }, 'bad_notices_key'],
  [webhook('https://hooks.example/a', { SEKISHO_NOTICES_FORMAT: 'irc' }), 'not_one_of'],
  [mail('https://mail.example'), 'bad_notices_smtp'],
  [mail('smtp://mail.example/box'), 'bad_notices_smtp'],
  [mail('smtp://mail.example', { SEKISHO_NOTICES_FROM: 'docs' }), 'bad_notices_from'],
  [mail('smtp://mail.example', { SEKISHO_NOTICES_OWNERS: 'team' }), 'bad_notices_owner'],
])('refuse %j', (env, problem) => expect(read(env).problems).toEqual([problem]))

it('need no TLS for hosts that are named, and no key where nothing checks it', () => {
  expect(read({ ...webhook('http://relay.internal/a'), ...NAMED }).problems).toEqual([])
  const slack = { SEKISHO_NOTICES_WEBHOOK: 'https://hooks.slack.example/a', SEKISHO_NOTICES_FORMAT: 'slack' }
  expect(read(slack)).toMatchObject({ notices: { webhook: { key: null } }, problems: [] })
  expect(read(webhook('https://hooks.example/a'), 'too short').problems).toEqual(['bad_notices_key'])
})
