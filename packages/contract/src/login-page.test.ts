import { describe, expect, it } from 'vitest'
import { isUsable, readLoginConfig } from './login-page.ts'

const GOOD = {
  lang: 'ja',
  site: { title: 'Sekisho', tagline: '技術ドキュメントポータル' },
  firebase: { apiKey: 'key', authDomain: 'portal.example', projectId: 'sekisho', storageBucket: 'bucket' },
  configError: false,
  local: null,
  sessionEndpoint: '/__gate/session',
}

describe('reading the configuration', () => {
  it('takes what the gate sends', () => {
    expect(readLoginConfig(JSON.stringify(GOOD))).toEqual(GOOD)
  })

  it('takes the local mode and an absent identity service', () => {
    const config = {
      ...GOOD,
      firebase: null,
      configError: true,
      local: { emulatorOrigin: 'http://localhost:3000' },
    }
    expect(readLoginConfig(JSON.stringify(config))).toEqual(config)
  })

  it.each<[string, object, RegExp]>([
    ['an unknown key', { ...GOOD, token: 'x' }, /configuration: unknown key "token"/],
    [
      'an unknown key inside',
      { ...GOOD, firebase: { ...GOOD.firebase, appId: 'x' } },
      /firebase: unknown key "appId"/,
    ],
    ['a missing title', { ...GOOD, site: { tagline: 'x' } }, /site\.title: must be a non-empty text/],
    ['a language that nobody wrote texts in', { ...GOOD, lang: 'fr' }, /lang: must be ja or en/],
    ['a wrong type', { ...GOOD, configError: 'no' }, /configError: must be true or false/],
    ['a list', [], /configuration: must be an object/],
  ])('refuses %s', (_, config, message) => {
    expect(() => readLoginConfig(JSON.stringify(config))).toThrow(message)
  })

  it('names every problem at once', () => {
    expect(() => readLoginConfig('nonsense')).toThrow(/not JSON.*site.*sessionEndpoint/)
  })
})

describe('whether sign-in can be offered', () => {
  it.each([
    [null, false],
    [GOOD.firebase, true],
    [{ ...GOOD.firebase, apiKey: '' }, false],
    [{ ...GOOD.firebase, authDomain: 'undefined' }, false],
    [{ ...GOOD.firebase, projectId: 'undefined' }, false],
  ])('%j → %s', (firebase, expected) => {
    expect(isUsable(firebase)).toBe(expected)
  })
})
