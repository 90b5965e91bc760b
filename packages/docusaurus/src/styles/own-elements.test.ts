import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PACKAGES = join(import.meta.dirname, '../../..')

/** Style sheets of every site behind the gate, whatever its look: all but those of the look. */
const SHEETS = globSync(['docusaurus/src/**/*.css', 'light-pages/src/**/*.css'], { cwd: PACKAGES }).filter(
  (file) => !file.startsWith('docusaurus/src/portal-theme/'),
)

/** Selectors of a sheet, lists taken apart but for those within parentheses. */
function readSelectors(css: string): string[] {
  const preludes = css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)
  return [...preludes]
    .flatMap(([, prelude = '']) => (prelude.trim().startsWith('@') ? [] : prelude.split(/,(?![^(]*\))/)))
    .map((selector) => selector.trim())
    .filter((selector) => !/^(?:from|to|\d+%)$/.test(selector))
}

it.each(SHEETS)('%s says nothing of elements that are not ours: a site keeps its look', (file) => {
  const selectors = readSelectors(readFileSync(join(PACKAGES, file), 'utf8'))
  expect(selectors.length).toBeGreaterThan(0)
  expect(selectors.filter((selector) => !selector.includes('sekisho-'))).toEqual([])
})
