import * as en from './en.ts'
import * as ja from './ja.ts'
import type { InEveryLanguage } from './language.ts'

/** Texts shared by all packages. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }
