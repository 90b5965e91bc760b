import type { InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts for readers on agents that ask, in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }
