import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts of this package in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Says why an endpoint gave no vectors. */
export const embeddingProblemOf = createMessages(TEXTS, 'embeddings')

/** Says what is wrong with a team's own words. */
export const vocabularyProblemOf = createMessages(TEXTS, 'vocabulary')
