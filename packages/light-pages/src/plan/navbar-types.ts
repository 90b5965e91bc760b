import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'

interface NavbarItem {
  type?: string
  items?: readonly NavbarItem[]
}

const TYPE = /^\s+(\w+): (\w+),$/gm

/** theme-classic's table of navbar item types. */
export function findNavbarTypes(siteDir: string): string {
  const theme = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/theme-classic')
  return join(dirname(theme), 'theme/NavbarItem/ComponentTypes.js')
}

/**
 * The theme's table of navbar item types without those that the site's navbar does not hold: a dropdown of
 * languages or versions would otherwise be on every page of a site that has one of each.
 */
export function keepUsedNavbarTypes(source: string, items: readonly NavbarItem[]): string {
  const types = [...source.matchAll(TYPE)]
  if (types.length === 0) throw new DocusaurusChangedError('the theme has no table of navbar item types')
  const used = listTypes(items)
  return types
    .filter(([, type = '']) => !used.has(type))
    .reduce(
      (text, [line, , component = '']) =>
        text.replace(line, '').replace(new RegExp(`^import ${component} from .*$`, 'm'), ''),
      source,
    )
}

/** As the theme reads them: an item without a type is a link, or a dropdown when it has items. */
function listTypes(items: readonly NavbarItem[]): Set<string> {
  const types = new Set(['default'])
  for (const { type = 'default', items: inside } of items) {
    types.add(type === 'default' && inside !== undefined ? 'dropdown' : type)
    for (const inner of listTypes(inside ?? [])) types.add(inner)
  }
  return types
}
