import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadContext } from '@docusaurus/types'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLightHooks, type LightOptions } from './plugin.ts'

/** The bundler's configuration of a site with such a Docusaurus, as the hooks change it for the browser. */
function configureClient(version: string, options: LightOptions) {
  const siteDir = mkdtempSync(join(tmpdir(), 'light-pages-'))
  const core = join(siteDir, 'node_modules/@docusaurus/core')
  mkdirSync(core, { recursive: true })
  writeFileSync(join(core, 'package.json'), JSON.stringify({ version }))
  const context = {
    siteDir,
    baseUrl: '/',
    generatedFilesDir: join(siteDir, '.docusaurus'),
    i18n: { currentLocale: 'en' },
    siteConfig: { themeConfig: { navbar: { items: [{ to: '/docs', label: 'Docs' }] } }, future: {} },
  } as unknown as LoadContext
  const hooks = createLightHooks(context, options, { themeDir: join(siteDir, 'theme') })
  const utils = { currentBundler: { name: 'webpack', instance: {} } }
  return Object(hooks.configureWebpack({}, false, utils as never, undefined))
}

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.spyOn(console, 'info').mockReturnValue(undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it.each(['3.6.3', '3.9.2', '3.10.2'])(
  'a site with Docusaurus %s and webpack does without what no reader of it misses',
  (version) => {
    const { resolve, module } = configureClient(version, { lightPages: ['routes'] })
    expect(resolve.alias).toMatchObject({ '@theme/NavbarItem/LocaleDropdownNavbarItem$': false })
    expect(module.rules).toHaveLength(2)
    expect(resolve.alias).not.toHaveProperty('@generated/routes$')
  },
)

it('brings all of it where routes stay as they are', () => {
  expect(configureClient('3.6.3', { lightPages: [] })).not.toHaveProperty('module')
})
