import type { LoginProvider } from '@sekisho/contract/login-page'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, SITE } from '@sekisho/release/testing'
import type { GateResponse } from '@sekisho/wire'
import { describe, expect, it } from 'vitest'
import { openReleases } from '../../releases/open-releases.ts'
import { createTestGate, NAVIGATION } from '../../testing/test-gate.ts'
import { readLoginBundle } from './login-bundle.ts'
import { createLoginPage, type LoginPageOptions } from './login-page.ts'

const FIREBASE = { apiKey: 'key', authDomain: 'portal.test', projectId: 'portal-1234' }
const PROVIDER: LoginProvider = { id: 'firebase', kind: 'firebase', label: 'Google', settings: FIREBASE }

const OPTIONS: LoginPageOptions = {
  lang: 'ja',
  localeOf: () => null,
  site: { title: 'Sekisho', tagline: '技術ドキュメントポータル' },
  origin: new URL('https://portal.test'),
  providers: [PROVIDER],
  bundle: {
    script: 'assets/login-1.js',
    flows: { firebase: 'assets/firebase-1.js', other: 'assets/other-1.js' },
    styles: ['assets/login-1.css'],
    icon: 'assets/mark.svg',
    shell: '<p>%title%</p><p>%tagline%</p>',
    assets: new Map(),
  },
}

const render = (changes: Partial<LoginPageOptions> = {}) => createLoginPage({ ...OPTIONS, ...changes })('/')

async function configOf(response: GateResponse): Promise<unknown> {
  const [, json = ''] = /id="sekisho-config">(.*)<\/script>/.exec(await response.text()) ?? []
  return JSON.parse(json)
}

describe('the login page', () => {
  it('tells the script what it needs and nothing else', async () => {
    expect(await configOf(render())).toEqual({
      lang: 'ja',
      site: OPTIONS.site,
      providers: [PROVIDER],
      sessionEndpoint: '/__gate/session',
    })
  })

  it('says so when the identity configuration is invalid', async () => {
    expect(await configOf(render({ providers: [] }))).toMatchObject({ providers: [] })
  })

  it('is in the language the operator chose', async () => {
    const text = await render({ lang: 'en' }).text()
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<title>Log in | ')
  })

  it('is in the language of the locale its path is below, whether or not there is such a page', async () => {
    await using build = await createTestBuild()
    const english = { ...SITE, lang: 'en-GB', baseUrl: '/en/', redirects: [] }
    const pages = [{ path: '/en/', file: 'index.html', title: 'Home' }]
    await build.write('en/__sekisho/site.json', JSON.stringify({ ...english, pages }))
    for (const name of ['index.html', '404.html']) await build.write(`en/${name}`, '<p>Home</p>')
    await packRelease({ buildDir: build.buildDir, dataDir: build.dataDir, clock: Date.now })
    const { localeOf } = await openReleases({ releasesDir: build.releasesDir })
    await using portal = await createTestGate({
      loginPage: createLoginPage({ ...OPTIONS, localeOf }),
    })
    const answersTo = async (...paths: readonly string[]) => {
      const answers = paths.map(async (path) => {
        const answer = await portal.ask(path, { headers: NAVIGATION })
        return JSON.stringify([answer.status, [...answer.headers], await answer.text()])
      })
      return new Set(await Promise.all(answers))
    }
    const inEnglish = await answersTo('/en', '/en/', '/en/none', '/en/404.html', '/en/%E7%92%B0%E5%A2%83')
    expect([...inEnglish]).toEqual([expect.stringContaining('<html lang=\\"en\\">')])
    const inJapanese = await answersTo(
      '/',
      '/docs/guide',
      '/none',
      '/english',
      '/x/en/',
      '/EN/',
      '/en%2Fnone',
    )
    expect([...inJapanese]).toEqual([expect.stringContaining('<html lang=\\"ja\\">')])
  })

  it('59 cannot be broken out of by a title', async () => {
    const title = '</script><script>alert(1)</script>\u2028<!--"&'
    const text = await render({ site: { title, tagline: title } }).text()
    expect(text.match(/<script/g)).toHaveLength(2)
    expect(text).not.toContain('<!--')
    expect(text).toContain('<p>&#60;/script&#62;')
    expect(await configOf(render({ site: { title, tagline: title } }))).toMatchObject({ site: { title } })
  })

  it('allows Google in production only, and no inline script anywhere', () => {
    const production = render().headers.get('content-security-policy') ?? ''
    expect(production).toContain("script-src 'self' https://apis.google.com;")
    expect(production).toContain('https://identitytoolkit.googleapis.com https://securetoken.googleapis.com')
    expect(production).not.toContain('unsafe')
    const atHome = { ...PROVIDER, settings: { ...FIREBASE, emulatorOrigin: 'http://localhost:3000' } }
    const local = render({ providers: [atHome] }).headers.get('content-security-policy') ?? ''
    expect(local).not.toContain('google')
    expect(render({ providers: [] }).headers.get('content-security-policy')).not.toContain('google')
  })

  it('loads the flow of a kind it offers, and of no other', async () => {
    const link = '<link rel="modulepreload" href="/__gate/login/assets/firebase-1.js">'
    expect(await render().text()).toContain(link)
    expect(await render().text()).not.toContain('other-1')
    expect(await render({ providers: [] }).text()).not.toContain('modulepreload')
  })

  it('lets the popup reach its opener', () => {
    expect(render().headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  })
})

describe('readLoginBundle', () => {
  it('says what to do when the login page is not built', async () => {
    await expect(readLoginBundle('file:///nowhere/login.json')).rejects.toThrow(/not built.*npm run build/)
  })
})
