import { expect, it } from 'vitest'
import { compareEditions, findWidening } from './compare-editions.ts'
import type { Edition, ReleaseFile } from './manifest.ts'

const page = (title: string, sha256 = title): ReleaseFile => ({
  ...{ sha256, bytes: 1, type: 'text/html', delivery: 'page', cache: 'no-store', encodings: {}, title },
})
const picture = (sha256: string): ReleaseFile => ({
  ...{ sha256, bytes: 1, type: 'image/png', delivery: 'resource', cache: 'no-store', encodings: {} },
})
type Files = Readonly<Record<string, ReleaseFile>>
const edition = (name: string, audiences: readonly string[], files: Files): Edition => ({
  ...{ name, audiences, files: new Map(Object.entries(files)), redirects: new Map(), notFound: '/404.html' },
  search: null,
})
const HOME = { '/': page('Home') }
const release = (staff: Files, everyone: Files, names = ['staff', 'everyone']) => ({
  editions: [
    edition(names[0] ?? '', ['staff'], { ...HOME, ...everyone, ...staff }),
    edition(names[1] ?? '', [], { ...HOME, ...everyone }),
  ],
})
const BEFORE = release(
  { '/exec/pay/': page('Pay'), '/exec/plan.png': picture('plan') },
  { '/docs/a/': page('A') },
)

it('says which pages each edition has gained and lost', () => {
  expect(compareEditions(BEFORE, release({ '/exec/new/': page('New') }, { '/docs/b/': page('B') }))).toEqual([
    { name: 'staff', gained: ['/docs/b/', '/exec/new/'], lost: ['/docs/a/', '/exec/pay/'], widened: [] },
    { name: 'everyone', gained: ['/docs/b/'], lost: ['/docs/a/'], widened: [] },
  ])
})

it.each([
  ['a page at its address', { '/exec/pay/': page('Salaries', 'other') }, '/exec/pay/'],
  ['a page that has moved, by its title', { '/docs/money/': page('Pay', 'other') }, '/docs/money/'],
  ['a page that has moved, by its name', { '/docs/pay.html': page('Salaries', 'other') }, '/docs/pay.html'],
  ['a page that has moved, by its content', { '/docs/x/': page('X', 'Pay') }, '/docs/x/'],
  ['a picture that has moved', { '/img/x.png': picture('plan') }, '/img/x.png'],
])('finds what is shown to more readers: %s', (_what, everyone, path) => {
  const names = ['insiders', 'world']
  expect(findWidening(BEFORE, release({}, everyone, names))).toEqual([`${path} (world)`])
})

it('takes neither new pages nor narrower ones for wider', () => {
  const after = release({ '/docs/a/': page('A'), '/exec/pay/': page('Pay') }, { '/docs/c/': page('C') })
  expect(findWidening(BEFORE, after)).toEqual([])
  expect(findWidening({ editions: [edition('default', [], HOME)] }, after)).toEqual([])
})

it('a site that gives up its editions shows everything to all', () => {
  const after = { editions: [edition('default', [], { ...HOME, '/exec/pay/': page('Pay') })] }
  expect(findWidening(BEFORE, after)).toEqual(['/exec/pay/ (default)'])
})
