export * from '@sekisho/contract/html-tree'
export { plainText } from './html-tree.ts'
export { type PageHead, readPageHead } from './page-head.ts'
export { readSections } from './page-sections.ts'
