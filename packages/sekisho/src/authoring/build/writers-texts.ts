import { createMessages, type Message } from '@sekisho/contract/language'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'build')

/** What a writer is told of a link to a page that is not there. */
export const brokenLink = (place: string, target: string): Message => messageOf('broken_link', place, target)

/** What a writer is told of a link to a heading that a page does not have. */
export const brokenAnchor = (place: string, target: string): Message =>
  messageOf('broken_anchor', place, target)

/** What writers are told of an address that several files claim. */
export const duplicateRoute = (route: string, files: readonly string[]): Message =>
  messageOf('duplicate_route', route, files)

/** What writers are told of an id that several files have. */
export const duplicateId = (id: string, files: readonly string[]): Message =>
  messageOf('duplicate_id', files.length, id, files)

/** What a writer is told of front matter that Docusaurus refuses. */
export const wrongFrontMatter = (file: string, reason: string): Message =>
  messageOf('wrong_front_matter', file, reason)
