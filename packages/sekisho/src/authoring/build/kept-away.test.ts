import { expect, it } from 'vitest'
import { classify } from '../init/compatibility.ts'
import { describeKeptAway } from './kept-away.ts'

const ask = (kind: 'script' | 'style' | 'img', source: string, ...pages: string[]) => ({
  what: `${kind} ${source}`,
  grant: { kind, source },
  pages,
})

it('proposes what pages want with what that wants in turn, and nothing that measures readers', () => {
  const lines = describeKeptAway(
    [
      ask('style', 'https://fonts.googleapis.com', '/', '/docs'),
      ask('script', 'https://www.googletagmanager.com', '/'),
      ask('script', 'https://buttons.github.io', '/'),
      ask('style', 'https://katex.example', '/'),
      ask('script', 'https://gist.github.com', '/'),
    ],
    [{ kind: 'img', source: 'https://avatars.example' }],
    {},
  )
  expect(lines).toContain(
    '  SEKISHO_CSP_ALLOW="img https://avatars.example; font https://fonts.gstatic.com https://katex.example; style https://fonts.googleapis.com https://github.githubassets.com https://katex.example; script https://buttons.github.io https://gist.github.com; connect https://api.github.com"',
  )
  const measuring = lines.findIndex((line) => line.startsWith('This tracks readers'))
  expect(lines[measuring + 1]).toBe('  script https://www.googletagmanager.com on /')
  expect(lines.join('\n')).toContain('requests of running scripts are not included')
})

it('says nothing where nothing is missing, and proposes nothing where all of it measures readers', () => {
  expect(describeKeptAway([], [], {})).toEqual([])
  const gtag = describeKeptAway([ask('script', 'https://www.googletagmanager.com', '/')], [], {})
  expect(gtag.join('\n')).not.toContain('SEKISHO_CSP_ALLOW')
})

it('names what the site lists and is known to ask for it', () => {
  const findings = classify({
    presets: [['classic', { gtag: { trackingID: 'G-1' } }]],
    stylesheets: ['https://fonts.googleapis.com/css2?family=Zen'],
  })
  const refused = [
    ask('style', 'https://fonts.googleapis.com', '/', '/docs'),
    ask('script', 'https://www.googletagmanager.com', '/'),
    ask('img', 'https://img.shields.io', '/'),
  ]
  const lines = describeKeptAway(refused, [], {}, findings)
  expect(lines).toEqual(
    expect.arrayContaining([
      '  style https://fonts.googleapis.com (https://fonts.googleapis.com/css2?family=Zen) on /, /docs',
      '  script https://www.googletagmanager.com (@docusaurus/plugin-google-gtag) on /',
      '  img https://img.shields.io on /',
    ]),
  )
  expect(lines.find((line) => line.includes('SEKISHO_CSP_ALLOW'))).not.toContain('googletagmanager')
})

it('proposes with what pages want what a plugin of the site is known to ask for once it runs', () => {
  const findings = classify({ presets: ['redocusaurus', ['classic', { gtag: { trackingID: 'G-1' } }]] })
  const setting = (refused: Parameters<typeof describeKeptAway>[0]) =>
    describeKeptAway(refused, [], {}, findings).find((line) => line.includes('SEKISHO_CSP_ALLOW'))
  expect(setting([ask('img', 'https://img.shields.io', '/')])).toBe(
    '  SEKISHO_CSP_ALLOW="img https://cdn.redoc.ly https://img.shields.io; worker blob"',
  )
  expect(setting([])).toBeUndefined()
})

it('proposes nothing that measures readers on a server of the site’s own, which the options of a plugin name', () => {
  const umami = ['docusaurus-plugin-umami', { websiteID: 'a-1', analyticsDomain: 'count.wombats.example' }]
  const lines = describeKeptAway(
    [ask('script', 'https://count.wombats.example', '/'), ask('img', 'https://img.shields.io', '/')],
    [],
    {},
    classify({ plugins: [umami] }),
  )
  expect(lines).toContain('  SEKISHO_CSP_ALLOW="img https://img.shields.io"')
  expect(lines).toContain('  script https://count.wombats.example (docusaurus-plugin-umami) on /')
})
