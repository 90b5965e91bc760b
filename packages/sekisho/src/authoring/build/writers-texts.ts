import { createMessages, type Message } from '@sekisho/contract/language'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'build')

/** Text on a link to a missing page. */
export const brokenLink = (place: string, target: string): Message => messageOf('broken_link', place, target)

/** Text on a link to a missing heading. */
export const brokenAnchor = (place: string, target: string): Message =>
  messageOf('broken_anchor', place, target)

/** A text with what became of what it misses. */
export const withHistory = (broken: Message, became: Message | null): Message =>
  became === null ? broken : messageOf('with_history', broken, became)

/** Text on an address that several files claim. */
export const duplicateRoute = (route: string, files: readonly string[]): Message =>
  messageOf('duplicate_route', route, files)

/** Text on an id that several files have. */
export const duplicateId = (id: string, files: readonly string[]): Message =>
  messageOf('duplicate_id', files.length, id, files)

/** Complaints of Joi, with which Docusaurus checks a site's files. */
const REASONS = [
  [/^"(.+?)" must be (?:an? |of type )?(number|valid date|boolean|string|array|object)$/, 'must_be'],
  [/^"(.+?)" does not look like a valid front matter Yaml (array)/, 'must_be'],
  [/^"(.+?)" must be one of \[(.+)\]$/, 'must_be_one_of'],
  [/^"(.+?)" does not look like a valid URL/, 'no_url'],
  [/^The url is not supposed to contain a sub-path like "(.+?)"/, 'url_with_path'],
  [/^"(.+?)" is not allowed$/, 'not_allowed'],
  [/^"(.+?)" is required$/, 'is_required'],
] as const

function reasonOf(reason: string): Message | string {
  const [pattern, code] = REASONS.find(([one]) => one.test(reason)) ?? []
  const [, name = '', wanted = ''] = pattern?.exec(reason) ?? []
  return code === undefined ? reason : messageOf(code, name, wanted)
}

/** Text on front matter that Docusaurus refuses. */
export const wrongFrontMatter = (file: string, reason: string): Message =>
  messageOf('wrong_front_matter', file, reasonOf(reason))

/** Text on front matter that is no YAML. */
export const noYaml = (place: string, reason: string): Message =>
  messageOf('front_matter_yaml', place, reason)

type FileCode =
  | 'sidebar_ids'
  | 'category_file'
  | 'sidebar_file'
  | 'no_yaml'
  | 'unknown_author'
  | 'author_entry'
  | 'inline_author'
  | 'unknown_tags'
  | 'config_fields'
  | 'config_value'
  | 'config_syntax'
  | 'plugin_option'
  | 'no_plugin'
  | 'navbar_sidebar'
  | 'sidebar_path'
  | 'navbar_type'

/** Text on a file of the site that is no page: its values as Docusaurus names them, in their order. */
export const wrongFile = (
  code: FileCode,
  [first = '', second = '', third = '']: readonly string[],
): Message => messageOf(code, reasonOf(first), reasonOf(second), third)

/** Text on a page that cannot be rendered. */
export const wrongPage = (
  code:
    | 'no_module'
    | 'unknown_component'
    | 'tabs_child'
    | 'undefined_name'
    | 'style_text'
    | 'page_failed'
    | 'unused_directive'
    | 'impossible_day',
  place: string,
  name: string,
): Message => messageOf(code, place, name)
