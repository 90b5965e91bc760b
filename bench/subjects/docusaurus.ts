import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCorpus, findDeepPage } from '../corpus/tree.ts'
import { type Variant, writeDocusaurusSite } from '../corpus/write-docusaurus.ts'
import { CACHE_DIR, type Site, type Subject } from './subject.ts'

const SEKISHO = fileURLToPath(new URL('../../packages/sekisho/bin/sekisho.mjs', import.meta.url))

/** Docusaurus in its variants; all with its fastest flags. */
export function createDocusaurusSubject(name: string, variant: Variant): Subject {
  return {
    name,
    hydrated: "document.documentElement.dataset.hasHydrated === 'true'",
    link: '.pagination-nav__link--next',
    prepare: async (size) => prepare(variant, size),
  }
}

/**
 * The design most teams have: everything is sent, then hidden until Firebase knows the reader. It is ready when
 * the page that was hidden is on the screen.
 */
export function createCurtainSubject(name: string): Subject {
  const hydrated = "document.querySelector('article h1') !== null"
  return { ...createDocusaurusSubject(name, 'curtain'), hydrated, signsIn: true }
}

/** Writes a site of the corpus, in a folder whose name ends with `suffix`. */
export function prepare(variant: Variant, size: number, suffix = ''): Site {
  const dir = join(CACHE_DIR, 'sites', `${variant}-${size}${suffix}`)
  const corpus = createCorpus({ size })
  writeDocusaurusSite(corpus, { dir, variant })
  const require = createRequire(import.meta.url)
  const bin = join(dirname(require.resolve('@docusaurus/core/package.json')), 'bin/docusaurus.mjs')
  const docusaurus: Site['command'] = [process.execPath, bin, 'build']
  const release: Site['command'] = [
    process.execPath,
    SEKISHO,
    'build',
    '--site',
    '.',
    '--data-dir',
    '.sekisho',
  ]
  const address = findDeepPage(corpus)
  return {
    dir,
    outDir: join(dir, 'build'),
    caches: ['.docusaurus', 'node_modules/.cache', '.cache', '.sekisho'],
    command: variant === 'release' ? release : docusaurus,
    // As `sekisho build` has it.
    env: variant === 'sekisho' ? { SKIP_HTML_MINIFICATION: 'true' } : {},
    page: `/docs/${address}`,
    source: join(dir, 'docs', `${address}.md`),
  }
}
