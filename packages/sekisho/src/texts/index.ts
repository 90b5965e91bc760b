import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import * as en from './en/index.ts'
import * as ja from './ja/index.ts'

/** Texts of the command line in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes a problem that a command found. */
export const problemOf = createMessages(TEXTS, 'findings')
