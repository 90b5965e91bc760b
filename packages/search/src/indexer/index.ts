export { type BuildOptions, buildIndex, type IndexReport } from './build.ts'
export type { IndexPage, PageKind, PageSection } from './page.ts'
