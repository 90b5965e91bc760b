import type { SearchEngineSubject } from '../engine.ts'
import { easyops } from './easyops.ts'
import { fts5Bigrams } from './fts5-bigrams.ts'
import { orama } from './orama.ts'
import { pagefind } from './pagefind.ts'
import { sekisho } from './sekisho.ts'

/** Ours first, as every ratio compares with it. */
export const engines: readonly SearchEngineSubject[] = [sekisho, fts5Bigrams, pagefind, orama, easyops]

/** Those whose packages are not among ours. */
export const enginesFromNpm: ReadonlySet<SearchEngineSubject> = new Set([pagefind, orama, easyops])
