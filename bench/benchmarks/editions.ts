import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Category, createCorpus, walk } from '../corpus/tree.ts'
import { writeText } from '../corpus/write-docs.ts'
import { measureEditions } from '../gate/edition-memory.ts'
import type { Row } from '../report.ts'
import { buildSite, forgetBuilds } from '../subjects/build-site.ts'
import { prepare } from '../subjects/docusaurus.ts'
import type { Site } from '../subjects/subject.ts'
import { type Benchmark, OURS } from './benchmark.ts'

const STAFF = { name: 'staff', audiences: ['staff', 'partner'] }
const PARTNER = { name: 'partner', audiences: ['partner'] }
const EVERYONE = { name: 'everyone', audiences: [] }
const ALONE = { name: 'staff', audiences: ['staff'] }
/** Of the pages, what each audience has to itself. */
const SHARE = 0.05

const SITES = [
  { subject: OURS, editions: [] },
  { subject: 'two editions, 5 % differ', editions: [ALONE, EVERYONE] },
  { subject: 'three editions that share 90 %', editions: [STAFF, PARTNER, EVERYONE] },
] as const

/** The same site for readers of one kind, of two and of three: what further editions cost its build, its disk and its gate. */
export const editions: Benchmark = {
  name: 'editions',
  async run({ size, filter }) {
    const rows: Row[] = []
    for (const { subject, editions } of SITES.filter(({ subject }) => subject.includes(filter))) {
      const site = prepareSite(size, editions)
      forgetBuilds(site)
      const cold = await buildSite(site)
      const served = await measureEditions(join(site.dir, '.sekisho'), editions)
      appendFileSync(site.source, '\n編集の計測のために加えた一文です。\n')
      const edited = await buildSite(site)
      const values = {
        'cold, processor s': cold.processorSeconds,
        'after an edit of all, processor s': edited.processorSeconds,
        'peak MB': Math.max(cold.peakMb, edited.peakMb),
        ...served,
      }
      rows.push({ subject, values })
      console.error(subject, values) // the next row takes minutes
    }
    const about =
      'One site, whose release is built from nothing, and again after a page was edited that every edition holds. Then a gate ' +
      'serves it and a reader of each edition opens every page. Disk is that of all files and indexes, beside those of the largest edition; an ' +
      'index is compared with the pages that its edition holds, the largest one being 1.'
    return { name: `editions, ${size} pages`, about, ours: OURS, rows, problems: [] }
  },
}

interface SiteEdition {
  readonly name: string
  readonly audiences: readonly string[]
}

function prepareSite(size: number, editions: readonly SiteEdition[]): Site {
  const suffix = editions.length === 0 ? '' : `-${editions.length}`
  const site = prepare('release', size, suffix)
  if (editions.length > 0) {
    const audiences = [...new Set(editions.flatMap((one) => one.audiences))]
    const paths = Object.fromEntries(
      choosePaths(createCorpus({ size }), { size, audiences, kept: site.source }),
    )
    writeText(join(site.dir, 'sekisho.editions.json'), JSON.stringify({ editions, paths }))
  }
  return site
}

interface Choice {
  readonly size: number
  readonly audiences: readonly string[]
  /** A page for all readers. */
  readonly kept: string
}

/** Folders of nothing but pages, all over the tree, for each audience in turn until all have their share. */
function choosePaths(corpus: Category, { size, audiences, kept }: Choice) {
  const leaves = [...walk(corpus)].filter(({ category }) => category.categories.length === 0)
  const wanted = Math.round(size * SHARE * audiences.length)
  const step = Math.max(1, Math.floor(1 / (SHARE * audiences.length)))
  const paths: (readonly [glob: string, audience: string])[] = []
  let pages = 0
  for (const [index, { category, path }] of leaves.entries()) {
    if (index % step !== 0 || pages >= wanted || kept.includes(`/${path.join('/')}/`)) continue
    paths.push([`docs/${path.join('/')}/**`, audiences[paths.length % audiences.length] ?? ''])
    pages += category.pages.length + (category.index === null ? 0 : 1)
  }
  return paths
}
