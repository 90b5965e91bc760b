import { randomBytes } from 'node:crypto'

/**
 * Makes names of requests, by which log, audit trail and an answer's fault are matched: 72 random bits of this
 * process and the request's number. They need not be hard to guess: nothing is let in or shown for knowing one.
 */
export function createRequestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count}`
  }
}
