import { createMessages, type InEveryLanguage } from '@sekisho/contract/language'
import { en } from './en.ts'
import { ja } from './ja.ts'

const TEXTS: InEveryLanguage<typeof en> = { ja, en }

/** Says what is wrong with a page. */
export const problemOf = createMessages(TEXTS, 'problems')

/** Messages about pages that cannot be compiled. */
export const mdxProblemOf = createMessages(TEXTS, 'mdx')

/** Messages about front matter. */
export const frontMatterProblemOf = createMessages(TEXTS, 'frontMatter')

/** Messages about OpenAPI definitions. */
export const openapiProblemOf = createMessages(TEXTS, 'openapi')

/** Says why a site cannot be built for one of its editions. */
export const editionProblemOf = createMessages(TEXTS, 'editions')

/** Says what a site's search does without. */
export const searchProblemOf = createMessages(TEXTS, 'search')

/** Says what is wrong with options in a site's config. */
export const optionProblemOf = createMessages(TEXTS, 'options')
