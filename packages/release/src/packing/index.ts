export { DEFAULT_KEEP, type PackOptions, type PackReport, packRelease } from './pack.ts'
