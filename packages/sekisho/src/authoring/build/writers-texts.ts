import { createMessages, type Message } from '@sekisho/contract/language'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'build')

/** Text on a link to a missing page. */
export const brokenLink = (place: string, target: string): Message => messageOf('broken_link', place, target)

/** Text on a link to a missing heading. */
export const brokenAnchor = (place: string, target: string): Message =>
  messageOf('broken_anchor', place, target)

/** Text on an address that several files claim. */
export const duplicateRoute = (route: string, files: readonly string[]): Message =>
  messageOf('duplicate_route', route, files)

/** Text on an id that several files have. */
export const duplicateId = (id: string, files: readonly string[]): Message =>
  messageOf('duplicate_id', files.length, id, files)

/** Text on front matter that Docusaurus refuses. */
export const wrongFrontMatter = (file: string, reason: string): Message =>
  messageOf('wrong_front_matter', file, reason)
