import { parentPort, workerData } from 'node:worker_threads'
import type { IndexPage } from './page.ts'
import { analysePage } from './page-analysis.ts'
import { createPhraseReader } from './phrase-words.ts'

const readPhrase = createPhraseReader(workerData.userDictionary)

parentPort?.on('message', (pages: IndexPage[]) => {
  parentPort?.postMessage(pages.map((page) => analysePage(page, readPhrase)))
})
