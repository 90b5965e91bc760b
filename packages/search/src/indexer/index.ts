export type { IndexPage, PageKind, PageSection } from './analysis/page.ts'
export { type BuildOptions, buildIndex, type IndexReport } from './build.ts'
export { divideIndexes, type EditionIndexes } from './divide.ts'
export { findRelated, type RelatedPage } from './related.ts'
export { readVocabulary, type SiteWord, type Vocabulary, VocabularyError } from './words/vocabulary.ts'
export {
  addSynonyms,
  joinVocabularies,
  readVocabularyFile,
  VOCABULARY_FILE,
} from './words/vocabulary-file.ts'
export { EMBEDDINGS_KEY_VARIABLE, type NotEmbedded } from './writing/page-vectors.ts'
