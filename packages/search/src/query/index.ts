export { IndexMismatchError } from '../format/errors.ts'
export type { FoundPage, FoundSection, SearchAnswer, SearchQuery } from './answer.ts'
export { type EngineOptions, openIndex, type SearchEngine } from './engine.ts'
export type { MarkedRange, Snippet } from './snippet.ts'
