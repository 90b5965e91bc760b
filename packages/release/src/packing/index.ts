export { type BuildFile, type BuildListing, listBuild } from './build-files.ts'
export { type PackOptions, type PackReport, packRelease } from './pack.ts'
