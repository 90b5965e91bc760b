export { type AbsentPage, absentDocIds } from './absent-pages.ts'
export { inEdition } from './in-edition.ts'
export { sidebarsWithout } from './without-absent.ts'
