import { askModel, ModelError } from '@sekisho/server/answers'
import type { GateConfig } from '@sekisho/server/settings'
import { type CheckResult, found } from './finding.ts'

/** Sends one test question, without any page, to the model that answers readers, and says what a gate sends there. */
export async function checkModel(answers: NonNullable<GateConfig['answers']>): Promise<CheckResult> {
  const { endpoint, firstTextMs, totalMs, rewritesOnly } = answers
  const seen = rewritesOnly ? 'saw_rewriter' : 'saw_model'
  const sinceMs = performance.now()
  let firstMs: number | null = null
  const limits = { firstTextMs, totalMs, signal: new AbortController().signal }
  const messages = [{ role: 'user', content: 'Write the word ready and nothing else.' }] as const
  try {
    const { sent, received } = await askModel(endpoint, messages, limits, () => {
      firstMs ??= Math.round(performance.now() - sinceMs)
    })
    const host = new URL(endpoint.url).host
    if (firstMs === null) return { facts: [], findings: [found('model_silent', host)] }
    const wholeMs = Math.round(performance.now() - sinceMs)
    return {
      facts: [found(seen, host, endpoint.model, firstMs, wholeMs, sent + received)],
      findings: [],
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const reason = error.status === null ? error.code : `${error.code}, ${error.status}`
    return { facts: [], findings: [found('model_failed', new URL(endpoint.url).host, reason)] }
  }
}
