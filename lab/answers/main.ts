import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packMarkdown } from '../agents/markdown-site.ts'
import { askQuestions, findPassages, type Question, type Result } from './run-questions.ts'

const USAGE = `npm run answers:eval -- --site handbook=site/docs [--site vite=FOLDER] [--site fastify=FOLDER/docs]
  [--rewrites FILE] [--url https://…/v1/chat/completions --model NAME [--key-file FILE]] [--failures]

Each FOLDER is a checkout of vitejs/docs-ja, or what npm pack fastify holds. Without --url no model is asked:
the passages for each question are looked at. FILE maps questions to short queries, as of search:eval.`

/** Pages that readers without a group do not get, by the beginnings of their paths. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  handbook: ['operations/', 'sekisho-pro/english/'],
  vite: ['guide/ssr', 'guide/backend-integration', 'guide/performance', 'guide/api-environment-frameworks'],
  fastify: ['Serverless', 'Database', 'Delay-Accepting-Requests', 'Detecting-When-Clients-Abort'].map(
    (name) => `Guides/${name}`,
  ),
}

/** The half that was measured once, at the end: the first byte of the question's SHA-256 is odd. */
const isHeldOut = ({ question }: Question) => (hash('sha256', question, 'buffer')[0] ?? 0) % 2 === 1

const { values } = parseArgs({
  options: {
    site: { type: 'string', multiple: true, default: [] },
    rewrites: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string', default: '' },
    'key-file': { type: 'string' },
    failures: { type: 'boolean', default: false },
  },
})
const questions: readonly Question[] = readFileSync(new URL('./questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

if (values.site.length === 0) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const results: Result[] = []
  const waiting = setInterval(() => {}, 60_000) // the process that searches keeps none alive that waits for it
  for (const named of values.site) {
    const [site = '', folder = ''] = named.split('=')
    const work = mkdtempSync(join(tmpdir(), 'sekisho-answers-'))
    try {
      const releasesDir = await packMarkdown(folder, work, HIDDEN[site])
      results.push(...(await runSite(releasesDir, site)))
    } finally {
      rmSync(work, { recursive: true })
    }
  }
  clearInterval(waiting)
  report(results)
}

function runSite(releasesDir: string, site: string): Promise<readonly Result[]> {
  const { url, model, 'key-file': keyFile, rewrites } = values
  const asked = questions.filter((question) => question.site === site)
  if (url === undefined) {
    const recorded = rewrites === undefined ? {} : JSON.parse(readFileSync(rewrites, 'utf8'))
    return findPassages(releasesDir, asked, new Map(Object.entries(recorded)))
  }
  const key = keyFile === undefined ? null : (['Authorization', `Bearer ${readKey(keyFile)}`] as const)
  return askQuestions(releasesDir, asked, { url, model, key })
}

function readKey(file: string): string {
  return readFileSync(file, 'utf8').trim()
}

function report(results: readonly Result[]): void {
  const cells = ['kind', 'n', 'facts', 'not found', 'sentences', 'dropped', 'tokens', 'seconds']
  console.log(cells.map(cell).join(''))
  for (const [half, isOf] of [
    ['seen', (one: Result) => !isHeldOut(one)],
    ['held out', isHeldOut],
  ] as const)
    for (const [kind, group] of Map.groupBy(results.filter(isOf), (one) => one.kind)) {
      const share = (of: (one: Result) => boolean) => (group.filter(of).length / group.length).toFixed(3)
      const sum = (of: (one: Result) => number) => group.reduce((all, one) => all + of(one), 0)
      const found = [share((one) => one.hasFacts), share((one) => one.isNotFound)]
      const counts = [sum((one) => one.sentences), sum((one) => one.dropped)].map(String)
      const tokens = Math.round(sum((one) => one.tokens) / group.length)
      const seconds = (sum((one) => one.seconds) / group.length).toFixed(2)
      console.log(
        [`${kind}, ${half}`, String(group.length), ...found, ...counts, String(tokens), seconds]
          .map(cell)
          .join(''),
      )
    }
  if (!values.failures) return
  const isWrong = ({ kind, hasFacts, isNotFound }: Result) =>
    kind === 'one' || kind === 'two' ? !hasFacts : hasFacts || !isNotFound
  for (const one of results.filter((result) => !isHeldOut(result) && isWrong(result)))
    console.log(`${one.kind.padEnd(8)}${one.site.padEnd(10)}${one.question}`)
}

function cell(text: string, at: number): string {
  return at === 0 ? text.padEnd(20) : text.padStart(10)
}
