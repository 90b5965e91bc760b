import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { keepUsedNavbarTypes } from './navbar-types.ts'

const theme = dirname(createRequire(import.meta.url).resolve('@docusaurus/theme-classic'))
const source = readFileSync(join(theme, 'theme/NavbarItem/ComponentTypes.js'), 'utf8')

it('keeps links and the types that the navbar or a dropdown in it holds', () => {
  const text = keepUsedNavbarTypes(source, [
    { type: 'docSidebar' },
    { items: [{ type: 'localeDropdown' }, {}] },
    { type: 'custom-session' },
  ])
  expect([...text.matchAll(/^ {2}(\w+):/gm)].map(([, type]) => type)).toEqual([
    'default',
    'localeDropdown',
    'dropdown',
    'docSidebar',
  ])
  expect([...text.matchAll(/^import (\w+)/gm)].map(([, name]) => name)).toEqual([
    'DefaultNavbarItem',
    'DropdownNavbarItem',
    'LocaleDropdownNavbarItem',
    'DocSidebarNavbarItem',
  ])
})

it('says so when the theme no longer has the table', () => {
  expect(() => keepUsedNavbarTypes('export default {}', [])).toThrow(/navbar item types/)
})
