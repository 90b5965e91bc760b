import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const IMPORT = /^(?:import|export) (?!type )[^'"]*?from '([^']+)'|^import '([^']+)'/gm

/** Packages that a module and the server's modules behind it load. Each entry of the search counts alone. */
function packagesOf(
  file: string,
  seen = new Set<string>(),
  packages = new Set<string>(),
): ReadonlySet<string> {
  if (seen.has(file)) return packages
  seen.add(file)
  for (const [, from = '', alone = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const name = from || alone
    if (name.startsWith('.')) packagesOf(join(dirname(file), name), seen, packages)
    else if (!name.startsWith('node:'))
      packages.add(name.startsWith('@sekisho/search/') ? name : name.split('/', 2).join('/'))
  }
  return packages
}

it('settings, which every command reads, load no server', () => {
  const own = (file: string) => [...packagesOf(join(import.meta.dirname, file))].sort()
  expect(own('settings.ts')).toEqual(['@sekisho/contract', '@sekisho/release', '@sekisho/search/embeddings'])
  expect(own('index.ts')).toEqual(expect.arrayContaining(['@sekisho/wire', 'jose']))
})
