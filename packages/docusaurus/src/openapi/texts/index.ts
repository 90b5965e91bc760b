import { type InEveryLanguage, pickLanguage } from '@sekisho/contract/language'
import type { ApiTexts } from './api-texts.ts'
import { en } from './en.ts'
import { ja } from './ja.ts'

const TEXTS: InEveryLanguage<ApiTexts> = { ja, en }

/** The labels for a locale. */
export const textsFor = (locale: string): ApiTexts => TEXTS[pickLanguage(locale)]
