import { TEXTS } from '../texts/index.ts'
import { createMessages } from '../texts/language.ts'

/** Makes a problem that any setting may have. */
export const settingProblemOf = createMessages(TEXTS, 'settings')
