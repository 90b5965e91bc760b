import { createRequire } from 'node:module'

/** Version of this package, in the repository and installed. */
export function readVersion(): string {
  const description: { readonly version: string } = createRequire(import.meta.url)('sekisho/package.json')
  return description.version
}
