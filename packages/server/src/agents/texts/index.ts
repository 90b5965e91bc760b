import type { InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** What readers are told of agents that ask, in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }
