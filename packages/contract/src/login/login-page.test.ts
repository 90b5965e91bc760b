import { describe, expect, it } from 'vitest'
import { isFirebaseSettings } from './firebase.ts'
import { readLoginConfig } from './login-page.ts'

const SETTINGS = {
  apiKey: 'key',
  authDomain: 'portal.example',
  projectId: 'sekisho',
  storageBucket: 'bucket',
}
const PROVIDER = { id: 'firebase', kind: 'firebase', label: 'Google', settings: SETTINGS }
const GOOD = {
  lang: 'ja',
  site: { title: 'Sekisho', tagline: '技術ドキュメントポータル' },
  providers: [PROVIDER],
  sessionEndpoint: '/__gate/session',
}

describe('reading the configuration', () => {
  it('takes what the gate sends', () => {
    expect(readLoginConfig(JSON.stringify(GOOD))).toEqual(GOOD)
  })

  it('takes an absent identity service', () => {
    const config = { ...GOOD, providers: [] }
    expect(readLoginConfig(JSON.stringify(config))).toEqual(config)
  })

  it.each<[string, object, RegExp]>([
    ['an unknown key', { ...GOOD, token: 'x' }, /configuration: unknown key "token"/],
    [
      'an unknown key inside',
      { ...GOOD, providers: [{ ...PROVIDER, appId: 'x' }] },
      /providers: unknown key "appId"/,
    ],
    [
      'a kind that has no flow',
      { ...GOOD, providers: [{ ...PROVIDER, kind: 'saml' }] },
      /kind: must be one of/,
    ],
    [
      'settings that are no texts',
      { ...GOOD, providers: [{ ...PROVIDER, settings: { apiKey: 1 } }] },
      /settings\.apiKey: must be a string/,
    ],
    ['a missing title', { ...GOOD, site: { tagline: 'x' } }, /site\.title: must be a non-empty text/],
    ['a language that nobody wrote texts in', { ...GOOD, lang: 'fr' }, /lang: must be one of ja, en/],
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
    [{}, false],
    [SETTINGS, true],
    [{ ...SETTINGS, apiKey: '' }, false],
    [{ ...SETTINGS, authDomain: 'undefined' }, false],
    [{ ...SETTINGS, projectId: 'undefined' }, false],
  ])('%j → %s', (settings, expected) => {
    expect(isFirebaseSettings(settings)).toBe(expected)
  })
})
