import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en/index.ts'
import { ja } from './ja/index.ts'

/** Texts of the gate for people, in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Meaning of each setting. */
export const SETTING_TEXTS: InEveryLanguage<typeof en.settings> = { ja: ja.settings, en: en.settings }

/** Makes a problem of a setting or a file of the operator's. */
export const problemOf = createMessages(TEXTS, 'gate')
