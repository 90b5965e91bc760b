import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

/** Texts on places of state in each language. */
export const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Makes a problem of where things are remembered. */
export const problemOf = createMessages(TEXTS, 'storage')

/** Makes what is wrong with a trail. */
export const trailOf = createMessages(TEXTS, 'trail')
