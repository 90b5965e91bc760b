import { pages } from './pages.ts'
import { problems } from './problems.ts'
import { settings } from './settings.ts'

/** What the gate says in English; the other languages have the same codes, with the same values. */
export const en = { ...pages, problems, settings }
