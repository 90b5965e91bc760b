import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts of this package in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes what a report says of a run. */
export const reportOf = createMessages(TEXTS, 'report')

/** Makes what a broken rule means. */
export const meaningOf = createMessages(TEXTS, 'meanings')

/** Makes the name of what a run is at. */
export const phaseOf = createMessages(TEXTS, 'phases')

/** Makes why nothing could be verified. */
export const problemOf = createMessages(TEXTS, 'verification')
