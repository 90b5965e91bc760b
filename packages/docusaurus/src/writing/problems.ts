import { appendFileSync } from 'node:fs'

/** Setting that names the file for a writer's problems in `sekisho build`: one JSON text a line. */
const PROBLEMS_FILE = 'SEKISHO_PROBLEMS_FILE'

/**
 * A mistake in a page. The message, in Japanese, names file, line and what to change; it carries no stack, which would lead
 * through the bundler and never to the writer's line.
 */
export class PageError extends Error {
  readonly code = 'SEKISHO_PAGE'

  constructor(message: string) {
    super(message)
    this.name = 'PageError'
    this.stack = message
  }
}

/** Makes the error for a mistake in a page, and tells `sekisho build`, which would find it only inside the bundler's prose. */
export function pageError(message: string): PageError {
  return toldError(new PageError(message))
}

/** Tells `sekisho build` what an error says, and hands the error on. */
export function toldError<E extends Error>(error: E): E {
  const file = process.env[PROBLEMS_FILE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(error.message)}\n`)
  return error
}
