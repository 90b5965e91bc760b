import type { en } from '../en/index.ts'
import { pages } from './pages.ts'
import { problems } from './problems.ts'
import { settings } from './settings.ts'

export const ja: typeof en = { ...pages, gate: problems, settings }
