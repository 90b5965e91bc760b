import * as en from './en.ts'
import * as ja from './ja.ts'
import type { InEveryLanguage } from './language.ts'

/** What the rooms that share the contract say alike. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }
