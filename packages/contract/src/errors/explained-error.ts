import { TEXTS } from '../texts/index.ts'
import { createMessages, type Language, type MessageOrText, sayIn } from '../texts/language.ts'

const listOf = createMessages(TEXTS, 'lists')
const SHOWN = 20

/** An expected failure whose message says, in every language, what to change; the first of many problems stands for all. */
export class ExplainedError extends Error {
  readonly problems: readonly MessageOrText[]

  constructor(problem: MessageOrText | readonly MessageOrText[], options?: ErrorOptions) {
    const problems = Array.isArray(problem) ? problem : [problem]
    super(shown(problems).join('\n'), options)
    this.problems = problems
  }

  /** @param say renders each problem, `sayIn` by default */
  in(language: Language, say: typeof sayIn = sayIn): string {
    return shown(this.problems)
      .map((problem, at) => (at < SHOWN ? say : sayIn)(problem, language))
      .join('\n')
  }
}

function shown(problems: readonly MessageOrText[]): readonly MessageOrText[] {
  const others = problems.length - SHOWN
  return others > 0 ? [...problems.slice(0, SHOWN), listOf('more', others)] : problems
}
