import { join } from 'node:path'
import { createCorpus } from './tree.ts'
import { type Variant, writeDocusaurusSite } from './write-docusaurus.ts'

const [
  size = '100',
  variant = 'stock',
  dir = join(import.meta.dirname, '../.cache/sites', `${variant}-${size}`),
] = process.argv.slice(2)
writeDocusaurusSite(createCorpus({ size: Number(size) }), { dir, variant: variant as Variant })
console.log(dir)
