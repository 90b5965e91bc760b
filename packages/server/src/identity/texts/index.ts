import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts on identity providers, in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes a problem of a provider's settings. */
export const problemOf = createMessages(TEXTS, 'identity')
