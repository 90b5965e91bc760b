export { askModel, ModelError } from './model-endpoint.ts'
