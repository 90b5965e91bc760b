import { AGENT_ROUTES } from '@sekisho/contract/routes'
import type { WireRequest } from '../../client/request.ts'
import { decodeBody, type WireOutcome } from '../../client/response.ts'
import type { OpenedEdition } from '../../leaks/protected-release.ts'
import { type EditionRun, formsOfTitle } from './edition-run.ts'

/** An agent may ask sixty times at once: of each hidden page three questions, and their controls by the other edition's agent. */
const MAX_PAGES = 18

/** Asks `/mcp` and the list of covering pages as an agent of the edition's reader for what only others hold: each has to be answered as nonsense is, byte for byte. */
export async function askAsAgent(run: EditionRun): Promise<void> {
  const { edition, others, tokens } = run.options
  const token = tokens?.get(edition.name)
  if (token === undefined) return
  for (const other of others) await askForPages(run, token, other)
  const all = callOf(token, 'list', {})
  const covers: WireRequest = {
    method: 'GET',
    target: AGENT_ROUTES.covers.path,
    headers: [['Authorization', token]],
  }
  await run.ask([{ request: all }, { request: covers }], ({ request }, outcome) => {
    const name = run.findName(request, outcome)
    if (name !== null) run.report('page-title', request, 'a list for an agent', `"${name}"`)
  })
}

async function askForPages(run: EditionRun, token: string, other: OpenedEdition): Promise<void> {
  const { others, tokens } = run.options
  const pages = [...run.hidden.files].filter(
    ([path, { title }]) => other.files.has(path) && title !== undefined,
  )
  const some = pages.slice(0, Math.floor(MAX_PAGES / others.length))
  const nonsense = await answers(run, [callOf(token, 'fetch', { id: '/no-such-page-of-verify' })])
  const asked = some.flatMap(([path, { title = path }]) => {
    const own = formsOfTitle(title)[0] ?? title
    const byPath = { call: callOf(token, 'fetch', { id: path }), said: path, isFetch: true }
    if (run.isOwnName(own)) return [byPath] // a page of both, as far as a title tells
    return [
      byPath,
      { call: callOf(token, 'fetch', { id: own }), said: own, isFetch: true },
      { call: callOf(token, 'search', { query: own }), said: own, isFetch: false },
    ]
  })
  const answered = await answers(
    run,
    asked.map(({ call }) => call),
  )
  for (const [at, { call, said, isFetch }] of asked.entries()) {
    const { text, outcome } = answered[at] ?? { text: '', outcome: null }
    const name =
      outcome === null ? null : run.findName({ ...call, target: encodeURIComponent(said) }, outcome)
    if (name !== null) run.report('page-title', call, 'an agent', `"${name}" of ${other.name}`)
    if (isFetch && text !== nonsense[0]?.text)
      run.report('not-uniform', call, 'an agent', `another answer than to nonsense, of ${other.name}`)
  }
  await control(
    run,
    other,
    some.map(([path]) => path),
    tokens?.get(other.name),
  )
}

/** The other edition's agent has to get what this one may not, or its absence proves nothing. */
async function control(run: EditionRun, { name }: OpenedEdition, paths: readonly string[], token?: string) {
  if (token === undefined || paths.length === 0) return
  const calls = paths.map((id) => callOf(token, 'fetch', { id }))
  const read = (await answers(run, calls)).filter(({ text }) => text.includes('"structuredContent"'))
  if (read.length === 0)
    run.report(
      'no-control',
      callOf(token, 'fetch', { id: '' }),
      'control',
      `no agent reads a page of ${name}`,
    )
}

async function answers(run: EditionRun, calls: readonly WireRequest[]) {
  const found: { text: string; outcome: WireOutcome }[] = []
  const probes = calls.map((request, at) => ({ request, at }))
  await run.ask(
    probes,
    ({ at }, outcome) => {
      const body = outcome.kind === 'response' ? (decodeBody(outcome.response) ?? outcome.response.body) : ''
      found[at] = { text: body.toString(), outcome }
    },
    1,
  )
  return found
}

function callOf(token: string, name: string, args: Readonly<Record<string, string>>): WireRequest {
  return {
    method: 'POST',
    target: AGENT_ROUTES.mcp.path,
    headers: [
      ['Authorization', token],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: ascii({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  }
}

/** Escapes characters beyond ASCII, since requests are sent as bytes. */
function ascii(value: object): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped)
}
