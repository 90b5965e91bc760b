export { type AbsentPage, absentDocIds, absentPaths } from './absent-pages.ts'
export { inEdition, type StagedSite } from './in-edition.ts'
export { absenceOfAddresses, sidebarsWithout } from './without-absent.ts'
