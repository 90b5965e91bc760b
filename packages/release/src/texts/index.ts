import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts of this package in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes a problem of a build, of a release, or of a place where releases are. */
export const problemOf = createMessages(TEXTS, 'release')
