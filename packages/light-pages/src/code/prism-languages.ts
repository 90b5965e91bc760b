import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DocusaurusChangedError } from '../docusaurus-changed.ts'

/** theme-classic's client module that adds languages to Prism, as Docusaurus requests it (without extension). */
export function findPrismLanguages(siteDir: string): string {
  const theme = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/theme-classic')
  const module = join(dirname(theme), 'prism-include-languages')
  if (existsSync(`${module}.js`)) return module
  throw new DocusaurusChangedError('theme-classic no longer has lib/prism-include-languages.js')
}
