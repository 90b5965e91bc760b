import { openAnswers, promptText, startTestModel, streamText } from '@sekisho/server/testing'

/** A question, written before anything was measured, and what its answer must hold. */
export interface Question {
  readonly site: string
  /** `two`: its facts are on two pages. `other`: they are in an edition of other readers. `none`: on no page. */
  readonly kind: 'one' | 'two' | 'none' | 'other'
  readonly question: string
  readonly facts: readonly string[]
}

/** Outcome of a question: without a model the passages for it, else the answer. */
export interface Result extends Question {
  /** Passages or sentences hold all facts. */
  readonly hasFacts: boolean
  /** The reader was told that these pages have no answer. */
  readonly isNotFound: boolean
  readonly sentences: number
  readonly dropped: number
  readonly tokens: number
  readonly seconds: number
}

/** Finds the passages for each question; `rewrites` are recorded short queries. No model is asked. */
export async function findPassages(
  releasesDir: string,
  questions: readonly Question[],
  rewrites: ReadonlyMap<string, readonly string[]>,
): Promise<readonly Result[]> {
  await using model = await startTestModel()
  let passages = ''
  model.reply = (response, prompt) => {
    const [sections = '', question] = promptText(prompt).split('\n\nQUESTION: ')
    if (question !== undefined) passages = sections
    const queries = question === undefined ? (rewrites.get(JSON.parse(sections).question) ?? []) : []
    return streamText(response, JSON.stringify({ queries, answer: null }))
  }
  await using answers = await openAnswers(releasesDir, { url: model.url, model: 'none', key: null })
  const results: Result[] = []
  for (const question of questions) {
    passages = ''
    const startMs = performance.now()
    const { tokens } = await answers.ask(question.question)
    const seconds = (performance.now() - startMs) / 1_000
    const found = { isNotFound: passages === '', hasFacts: holds(passages, question.facts) }
    results.push({ ...question, ...found, sentences: 0, dropped: 0, tokens, seconds })
  }
  return results
}

/** Asks each question of a real endpoint. */
export async function askQuestions(
  releasesDir: string,
  questions: readonly Question[],
  endpoint: Parameters<typeof openAnswers>[1],
): Promise<readonly Result[]> {
  await using answers = await openAnswers(releasesDir, endpoint)
  const results: Result[] = []
  for (const question of questions) {
    const startMs = performance.now()
    const { events, tokens } = await answers.ask(question.question)
    const seconds = (performance.now() - startMs) / 1_000
    const texts = events.flatMap((event) => (event.event === 'sentence' ? [event.text] : []))
    const end = events.find((event) => event.event === 'end')
    const found = {
      isNotFound: end?.outcome === 'not_found',
      hasFacts: holds(texts.join('\n'), question.facts),
    }
    const { dropped = 0 } = end ?? {}
    results.push({ ...question, ...found, sentences: texts.length, dropped, tokens, seconds })
  }
  return results
}

function holds(text: string, facts: readonly string[]): boolean {
  const folded = fold(text)
  return facts.length > 0 && facts.every((fact) => folded.includes(fold(fact)))
}

const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[`*\\\s]/g, '')
    .toLowerCase()
