export {
  attribute,
  classes,
  type Element,
  elements,
  findElement,
  hasClass,
  isElement,
  type Parent,
  plainText,
} from './html-tree.ts'
export { type PageHead, readPageHead } from './page-head.ts'
export { readSections } from './page-sections.ts'
