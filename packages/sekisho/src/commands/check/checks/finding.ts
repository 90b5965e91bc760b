import { createMessages, type Message } from '@sekisho/contract/language'
import { TEXTS } from '../../../texts/index.ts'

/** Says what a look at the world saw, or found wrong. */
export const found = createMessages(TEXTS, 'check')

/** Facts and problems of one part of the environment. */
export interface CheckResult {
  readonly facts: readonly Message[]
  readonly findings: readonly Message[]
}

export const together = (looks: readonly CheckResult[]): CheckResult => ({
  facts: looks.flatMap(({ facts }) => facts),
  findings: looks.flatMap(({ findings }) => findings),
})
