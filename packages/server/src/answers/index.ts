export { askModel, type ModelEndpoint, ModelError } from './model-endpoint.ts'
