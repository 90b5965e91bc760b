export { type EmbeddingEndpoint, EmbeddingError, embed } from './endpoint.ts'
export { type EmbeddingModel, isEndpoint } from './model.ts'
