export { IndexMismatchError } from '../format/errors.ts'
export { type EngineOptions, type IndexFile, MAX_QUERY, openIndex, type SearchEngine } from './engine.ts'
export type { Filters } from './retrieve/filters.ts'
export type { FoundPage, FoundSection, SearchQuery, SearchResponse } from './show/response.ts'
