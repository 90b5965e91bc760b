export { type EmbeddingEndpoint, EmbeddingError, embed } from './endpoint.ts'
export { type EmbeddingModel, type IndexedModel, isEndpoint, PROBE } from './model.ts'
export { isSameModel } from './probe.ts'
