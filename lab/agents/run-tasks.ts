import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveAgents } from '@sekisho/server/testing'

/** One question, written before the code: the pages that answer it, and what the answer must hold. */
export interface Task {
  readonly id: string
  readonly site: string
  readonly lang: 'ja' | 'en'
  readonly query: string
  readonly pages: readonly string[]
  readonly facts: readonly string[]
}

/** Result of a task. */
export interface TaskResult {
  readonly id: string
  /** Place of the right page in the first search; 0 where it is not among its results. */
  readonly place: number
  /** Calls until all facts were read, and the tokens of their answers; null where they were not in any of the results. */
  readonly calls: number | null
  readonly tokens: number
  /** Time of each call in milliseconds, by tool. */
  readonly times: { readonly search: readonly number[]; readonly fetch: readonly number[] }
}

interface Answer {
  readonly results?: readonly { readonly id: string; readonly text?: string }[]
  readonly text?: string
  readonly metadata?: { readonly next?: { readonly id: string; readonly section: string } }
}

const MAX_CALLS = 6

/** Does what an agent does that reads results from the first one on, until it has what it looks for. Runs without a model. */
export async function runTasks(releasesDir: string, tasks: readonly Task[]): Promise<readonly TaskResult[]> {
  await using served = await serveAgents(releasesDir, { isUnlimited: true })
  const client = new Client({ name: 'tasks', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(served.url))
  const results: TaskResult[] = []
  for (const task of tasks) results.push(await runTask(client, task))
  await client.close()
  return results
}

async function runTask(client: Client, task: Task): Promise<TaskResult> {
  const times = { search: [] as number[], fetch: [] as number[] }
  let calls = 0
  let tokens = 0
  const call = async (name: 'search' | 'fetch', args: Record<string, string>): Promise<Answer> => {
    const startMs = performance.now()
    const { structuredContent } = await client.callTool({ name, arguments: args })
    times[name].push(performance.now() - startMs)
    calls += 1
    tokens += tokensOf(JSON.stringify(structuredContent ?? ''))
    return (structuredContent ?? {}) as Answer
  }
  const { results = [] } = await call('search', { query: task.query })
  const place = results.findIndex(({ id }) => task.pages.includes(pageOf(id))) + 1
  const read: string[] = results.map(({ text = '' }) => text)
  const hasAll = () => task.facts.every((fact) => read.some((text) => plain(text).includes(plain(fact))))
  const waiting = results.flatMap(({ id }) => [{ id }, { id: pageOf(id) }])
  const seen = new Set<string>()
  while (!hasAll() && calls < MAX_CALLS) {
    const next = waiting.shift()
    if (next === undefined) break
    if (seen.has(JSON.stringify(next))) continue
    seen.add(JSON.stringify(next))
    const { text = '', metadata } = await call('fetch', next)
    read.push(text)
    if (metadata?.next !== undefined) waiting.unshift(metadata.next)
  }
  return { id: task.id, place, calls: hasAll() ? calls : null, tokens, times }
}

const pageOf = (id: string): string => id.split('#')[0]?.replace(/\.html$/, '') ?? id
/** Removes Markdown's escapes from a text. */
const plain = (text: string): string => text.replaceAll('\\', '').replace(/\s+/g, ' ')

/** As the gate counts them: on the high side. */
function tokensOf(text: string): number {
  return Math.ceil([...text].reduce((sum, character) => sum + (character < '\u0080' ? 0.3 : 1), 0))
}
