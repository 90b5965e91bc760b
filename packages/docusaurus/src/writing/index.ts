export { readOpenApiProblems } from './kept-problem.ts'
export { brokenMarkdownLink, findSlips } from './markdown.ts'
export { createSourceReader, type PageSource, partialsOf } from './read-source.ts'
export { inSiteLanguage, noteSiteLanguage } from './site-language.ts'
