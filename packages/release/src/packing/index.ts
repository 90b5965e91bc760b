export { type PackOptions, type PackReport, packRelease } from './pack.ts'
