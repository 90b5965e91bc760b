import { TEXTS } from '../texts/index.ts'

/** Rejects when the work has not finished in time; the work itself cannot be stopped. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  const tooLate = wait(timeoutMs).then(() => {
    throw new Error(TEXTS.timedOut)
  })
  return Promise.race([work, tooLate])
}
