import { encodePath } from '@sekisho/contract/canonical-path'
import { PORTAL_ROUTES, ROUTES } from '@sekisho/contract/routes'
import { SIDE_DOOR_ROWS } from '../../catalogue/threats.ts'
import type { WireRequest } from '../../client/request.ts'
import type { WireOutcome } from '../../client/response.ts'
import { createNameFinder } from '../../leaks/names.ts'
import type { OpenedEdition } from '../../leaks/protected-release.ts'
import { htmlText, viewsOf } from '../../leaks/views.ts'
import { problemOf } from '../../texts/index.ts'
import type { Finding } from '../answers/findings.ts'
import { planProbes } from '../probing/probes.ts'
import { ReaderRefusedError } from '../probing/reader.ts'
import { askAsAgent } from './edition-agents.ts'
import {
  choosingLines,
  choosingProbes,
  comparisonOf,
  feedbackProbe,
  postOf,
  questionOf,
  validatorLines,
} from './edition-probes.ts'
import {
  cookieLine,
  createEditionRun,
  digestOf,
  type EditionOptions,
  type EditionRun,
  formsOfTitle,
  openAs,
  withLine,
} from './edition-run.ts'

import { askForEarlier, findNamedElsewhere } from './kept-back.ts'

/** Content of other editions that a reader of one edition could find. None when `findings` is empty. */
export interface EditionReport {
  readonly edition: string
  readonly findings: readonly Finding[]
  readonly requests: number
  /** Files of their own edition that the reader was sent. */
  readonly read: number
  /** Files and redirects that only other editions hold, all of them asked for. */
  readonly hidden: number
  /** As many of these files as readers of the other editions were sent: the control. */
  readonly shown: number
}

const SEARCHES = 30
/** Below what one reader may say of pages in a row. */
const FEEDBACK_PROBES = 8
/** Each may cost the operator a question to the model; an account may ask thirty in an hour. */
const QUESTIONS = 3
const READER_ROUTES = PORTAL_ROUTES.filter(
  ({ methods, access }) => access !== 'publisher' && methods.includes('GET'),
).map(({ path }) => path)

/**
 * Requests, as a reader of one edition, everything that only other editions hold, in each way of the tables. Hidden files must be answered
 * like nonsense; readers of the other edition must get them, or absence proves nothing.
 */
export async function verifyEdition(options: EditionOptions): Promise<EditionReport> {
  const run = createEditionRun(options)
  const read = (await readAs(run, options.edition, () => true)).size
  if (read === 0) throw new ReaderRefusedError(problemOf('edition_unread', options.edition.name))
  const shown = await readControls(run)
  await sweep(run)
  for (const other of options.others) {
    await askForItsForm(run, other)
    await searchForIt(run, other)
  }
  await askQuestions(run)
  await askForEarlier(run, options.earlier ?? [])
  await askRoutes(run)
  await askAsAgent(run)
  readBuild(run)
  findNamedElsewhere(run)
  run.uniformity.report(run.findings)
  const hidden = run.hidden.files.size + run.hidden.redirects.size
  return {
    edition: options.edition.name,
    findings: run.findings.all(),
    requests: run.requests(),
    read,
    hidden,
    shown,
  }
}

async function readAs(run: EditionRun, { name, files }: OpenedEdition, isWanted: (path: string) => boolean) {
  const read = new Set<string>()
  const wanted = [...files].filter(([path]) => isWanted(path))
  const probes = wanted.map(([path, { sha256 }]) => ({
    request: openAs(run.options, name, path),
    path,
    sha256,
  }))
  await run.ask(probes, ({ request, path, sha256 }, outcome) => {
    if (digestOf(outcome) === sha256) read.add(path)
    const named = name === run.options.edition.name ? run.findName(request, outcome) : null
    if (named !== null) run.report('page-title', request, 'its own pages', `"${named}" beside them`)
  })
  return read
}

async function readControls(run: EditionRun): Promise<number> {
  const { others } = run.options
  const { files } = run.hidden
  const read = await Promise.all(others.map((other) => readAs(run, other, (path) => files.has(path))))
  const shown = new Set(read.flatMap((paths) => [...paths]))
  for (const path of files.keys())
    if (!shown.has(path))
      run.report('no-control', openAs(run.options, '', path), 'control', 'no reader was sent it')
  return shown.size
}

/** Every row of the tables, and what might choose an edition. Cookies of the tables are those of strangers: the reader's takes their place. */
async function sweep({ options, targets, ask, take }: EditionRun): Promise<void> {
  const { edition, others, cookies, effort } = options
  const cookie = cookieLine(cookies, edition.name)
  const rows = [...planProbes(targets, effort)].map((probe) => {
    const headers = probe.request.headers.filter(([name]) => name.toLowerCase() !== 'cookie')
    return { ...probe, request: withLine({ ...probe.request, headers }, cookie) }
  })
  await ask(rows, take)
  for (const other of others) await ask(choosingProbes(targets, other, cookie[1]), take)
}

/** Paths that both editions have, with other bytes. */
async function askForItsForm(run: EditionRun, other: OpenedEdition): Promise<void> {
  const { edition } = run.options
  const different = [...other.files].filter(
    ([path, { sha256 }]) => (edition.files.get(path)?.sha256 ?? sha256) !== sha256,
  )
  const probes = different.flatMap(([path, { sha256 }]) =>
    [...choosingLines(other), ...validatorLines(sha256)].map((line) => ({
      request: withLine(openAs(run.options, edition.name, path), line),
    })),
  )
  await run.ask(probes, ({ request }, outcome) => {
    const isConfirmed = outcome.kind === 'response' && outcome.response.status === 304
    if (isConfirmed || run.isForeign(digestOf(outcome)))
      run.report('other-edition', request, 'a page that both have', `the form of ${other.name}`)
  })
}

async function searchForIt(run: EditionRun, other: OpenedEdition): Promise<void> {
  const { edition, cookies } = run.options
  const titles = [...other.files].flatMap(([path, { title }]) =>
    run.hidden.files.has(path) ? (title ?? []) : [],
  )
  const queries = [...new Set(titles)].slice(0, SEARCHES).map((title) => title.split(' | ')[0] ?? title)
  const search = (name: string, path: string) =>
    queries.map((query): { request: WireRequest } => ({
      request: {
        method: 'GET',
        target: `${path}?q=${encodeURIComponent(query)}`,
        headers: [['Accept', '*/*'], cookieLine(cookies, name)],
      },
    }))
  const asked = [...search(edition.name, ROUTES.search.path), ...search(edition.name, ROUTES.searchPage.path)]
  await run.ask(asked, ({ request }, outcome) => {
    const name = run.findName(request, outcome)
    if (name !== null) run.report('page-title', request, 'a search', `"${name}" of ${other.name}`)
  })
  if (!other.hasSearch || queries.length === 0) return
  let found = 0
  await run.ask(search(other.name, ROUTES.search.path), ({ request }, outcome) => {
    if (run.findName(request, outcome) !== null) found += 1
  })
  const request = { method: 'GET', target: ROUTES.search.path, headers: [] }
  if (found === 0) run.report('no-control', request, 'control', `nothing is found in ${other.name}`)
}

/** Checks that the gate's own routes and side doors name nothing of other editions and treat feedback on hidden pages like nonsense. */
async function askRoutes({ options, targets, ask, take, findName, report }: EditionRun): Promise<void> {
  const { edition, cookies, origin } = options
  const cookie = cookieLine(cookies, edition.name)
  const doors = SIDE_DOOR_ROWS.map(({ target }) => target)
  const routes = [...READER_ROUTES, ...doors].map((target): { request: WireRequest } => ({
    request: { method: 'GET', target, headers: [['Accept', '*/*'], cookie] },
  }))
  await ask(routes, ({ request }, outcome) => {
    const name = findName(request, outcome)
    if (name !== null) report('page-title', request, 'what the gate says itself', `"${name}"`)
  })
  const pages = [...targets.files.slice(0, FEEDBACK_PROBES), ...targets.decoys.slice(0, FEEDBACK_PROBES)]
  await ask(
    pages.map((target) => comparisonOf(target, cookie[1])),
    take,
  )
  await ask(
    pages.map((target) => feedbackProbe(target, origin, cookie[1])),
    take,
    1,
  )
}

/** Asks about hidden pages, open and by their titles: sources and nearest pages are the edition's own. A gate without answers treats all alike. */
async function askQuestions({
  options,
  hidden,
  targets,
  ask,
  take,
  findName,
  isOwnName,
  report,
}: EditionRun) {
  const { edition, cookies, origin } = options
  const [, cookie] = cookieLine(cookies, edition.name)
  const check = (request: WireRequest, outcome: WireOutcome, question = '') => {
    const name = findName({ ...request, target: encodeURIComponent(question) }, outcome)
    if (name !== null) report('page-title', request, 'a question', `"${name}"`)
  }
  const pages = [...targets.files.slice(0, QUESTIONS), ...targets.decoys.slice(0, QUESTIONS)]
  const open = pages.map((target) => questionOf(target, origin, cookie))
  await ask(
    open,
    (probe, outcome) => {
      check(probe.request, outcome)
      if (outcome.kind === 'response' && outcome.response.status === 404) take(probe, outcome)
    },
    1,
  )
  const titles = [...hidden.files.values()].flatMap(({ title }) => formsOfTitle(title).slice(-1))
  const questions = [...new Set(titles)].filter((title) => !isOwnName(title)).slice(0, QUESTIONS)
  const asked = questions.map((question) => ({
    question,
    request: postOf(ROUTES.answers.path, { question }, origin, cookie),
  }))
  await ask(asked, ({ request, question }, outcome) => check(request, outcome, question), 1)
}

/**
 * Searches the edition's files other than pages for hidden paths and titles. Packing compares these files with all paths, and a title in
 * them is the edition's own phrase.
 */
function readBuild({ options: { edition }, hidden, isOwnName, report }: EditionRun): void {
  const titles = new Set([...hidden.files.values()].flatMap(({ title }) => formsOfTitle(title)))
  const shown = new Set([...titles].filter(isOwnName))
  const find = (bytes: Buffer) => {
    const isNone = (name: string) =>
      titles.has(name) ? shown.has(name) : !name.startsWith('/') || isOwnName(decodeURI(name))
    const names = createNameFinder({ ...edition, ...hidden }, isNone)
    return viewsOf(bytes).flatMap((view) => names.find(view, '') ?? [])[0]
  }
  for (const { where, bytes, type } of edition.storedBytes()) {
    if (!/^text\/|javascript|json|xml/.test(type)) continue
    let named = find(bytes)
    while (named?.kind === 'title' && (type.startsWith('text/html') || isShown(edition, named.text))) {
      shown.add(named.text)
      named = find(bytes)
    }
    const request = { method: 'GET', target: encodePath(where), headers: [] }
    if (named !== undefined) report('file-name', request, 'the build', `"${named.text}" of another edition`)
  }
}

/** Tells if a page of the edition shows these words. */
function isShown(edition: OpenedEdition, words: string): boolean {
  for (const { bytes, type } of edition.storedBytes())
    if (type.startsWith('text/html') && htmlText(bytes.toString('utf8')).includes(words)) return true
  return false
}
