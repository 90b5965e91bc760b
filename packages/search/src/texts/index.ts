import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Says why an endpoint gave no vectors. */
export const embeddingProblemOf = createMessages(TEXTS, 'embeddings')
