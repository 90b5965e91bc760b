import { pages } from './pages.ts'
import { problems } from './problems.ts'
import { settings } from './settings.ts'

/** English texts of the gate; the other languages have the same codes and values. */
export const en = { ...pages, gate: problems, settings }
