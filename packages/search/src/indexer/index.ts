export { type BuildOptions, buildIndex, type IndexReport } from './build.ts'
export type { IndexPage, PageKind, PageSection } from './page.ts'
export { readVocabulary, type SiteWord, type Vocabulary, VocabularyError } from './vocabulary.ts'
