import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { translationsFor } from './english.ts'

it('has an English text for everything a component says, and leaves Japanese builds alone', () => {
  const files = globSync(
    'packages/{docusaurus,light-pages}/src/{theme,session,search,portal-theme/theme/{NotFound,TOC}}/**/*.tsx',
  )
  const ids = files.flatMap(
    (file) => readFileSync(file, 'utf8').match(/(?<=id[:=]\s*['"])sekisho\.[\w.]+/g) ?? [],
  )
  expect(ids.length).toBeGreaterThan(8)
  expect(Object.keys(translationsFor('en')).sort()).toEqual([...new Set(ids)].sort())
  expect(translationsFor('ja')).toEqual({})
})
