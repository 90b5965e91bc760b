import type { SearchEngineSubject } from '../engine.ts'
import { easyops } from './easyops.ts'
import { orama } from './orama.ts'
import { pagefind } from './pagefind.ts'
import { sekisho } from './sekisho.ts'

/** Ours first, as every ratio compares with it. */
export const engines: readonly SearchEngineSubject[] = [sekisho, pagefind, orama, easyops]
