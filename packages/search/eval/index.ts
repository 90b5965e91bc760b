export { type LabelledQuery, readCorpus, readQueries, writeCorpus } from './corpus.ts'
export { type Measures, measure, type Outcome } from './measures.ts'
