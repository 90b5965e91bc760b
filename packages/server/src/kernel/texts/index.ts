import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts of problems that any request may meet, in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes a problem of an address that an operator names. */
export const problemOf = createMessages(TEXTS, 'addresses')
