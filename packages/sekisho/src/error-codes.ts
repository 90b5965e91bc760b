import { type InEveryLanguage, LANGUAGES, Message } from '@sekisho/contract/language'
import { TEXTS as CONTRACT } from '@sekisho/contract/texts'
import { TEXTS as RELEASE } from '@sekisho/release/texts'
import { TEXTS as SEARCH } from '@sekisho/search/texts'
import { TEXTS as IDENTITY } from '@sekisho/server/identity/texts'
import { TEXTS as KERNEL } from '@sekisho/server/kernel/texts'
import { TEXTS as STORAGE } from '@sekisho/server/storage/texts'
import { TEXTS as SERVER } from '@sekisho/server/texts'
import { TEXTS as VERIFY } from '@sekisho/verify/texts'
import { TEXTS } from './texts/index.ts'

/** Texts of sections of problems that are none: help, what was seen, and forms that a problem names. */
const NO_PROBLEM =
  /help$|_form$|^(?:saw|next|overdue|link)_|^(?:check_passed|all_fresh|opened|bucket_trying)$/

/** Makes the problems of a section, with the names of their values in braces; all of it, or the codes that are named. */
function problemsIn<T, Section extends keyof T & string>(
  texts: InEveryLanguage<T>,
  section: Section,
  named?: readonly (keyof T[Section] & string)[],
): readonly Message[] {
  const codes = named ?? Object.keys(Object(texts.en[section])).filter((code) => !NO_PROBLEM.test(code))
  return codes.map((code) => {
    const [ja, en] = LANGUAGES.map((language) => Reflect.get(Object(texts[language][section]), code))
    return new Message(section, code, placeholdersOf(en), { ja, en })
  })
}

/** Names of a sentence's values, each a list of one: a sentence puts its values in as they are, or joins them. */
function placeholdersOf(sentence: unknown): readonly unknown[] {
  if (typeof sentence !== 'function') return []
  const [, names = ''] = /^\(?([^)=]*)\)?\s*=>/.exec(String(sentence)) ?? []
  return names.split(',').flatMap((name) => (name.trim() === '' ? [] : [[`{${name.trim()}}`]]))
}

/** Every problem that a command may end with, section by section; `publicCodes` has its code. */
export const PROBLEMS: readonly Message[] = [
  ...problemsIn(SERVER, 'gate'),
  ...problemsIn(IDENTITY, 'identity'),
  ...problemsIn(KERNEL, 'addresses'),
  ...problemsIn(STORAGE, 'storage'),
  ...problemsIn(STORAGE, 'trail'),
  ...problemsIn(RELEASE, 'release'),
  ...problemsIn(SEARCH, 'embeddings'),
  ...problemsIn(SEARCH, 'vocabulary'),
  ...problemsIn(VERIFY, 'verification'),
  ...problemsIn(CONTRACT, 'settings'),
  ...problemsIn(CONTRACT, 'grants'),
  ...problemsIn(CONTRACT, 'html'),
  ...problemsIn(CONTRACT, 'shape'),
  ...problemsIn(CONTRACT, 'tls'),
  ...problemsIn(TEXTS, 'findings'),
  ...problemsIn(TEXTS, 'check'),
  ...problemsIn(TEXTS, 'editions'),
  ...problemsIn(TEXTS, 'verify'),
  ...problemsIn(TEXTS, 'command', [
    ...(['option_unknown', 'value_missing', 'value_unexpected', 'argument_unexpected'] as const),
    ...(['arguments_incomplete', 'command_unknown', 'command_not_installed', 'explain_unknown'] as const),
  ]),
  ...problemsIn(TEXTS, 'access', [
    ...([
      'trail_not_found',
      'audit_trail_begins',
      'at_problem',
      'unknown_rules',
      'trail_lines_unreadable',
      'other_gates_ran',
    ] as const),
  ]),
  ...problemsIn(TEXTS, 'acknowledgements', ['nobody_named', 'source_not_found']),
  ...problemsIn(TEXTS, 'manual', [
    ...([
      'edition_not_found',
      'page_not_found',
      'file_damaged',
      'file_left_out',
      'no_pdf',
      'too_large_for_zip',
    ] as const),
  ]),
  ...problemsIn(TEXTS, 'agents', [
    ...(['covers_no_changes', 'covers_unreachable', 'covers_refused', 'covers_status'] as const),
    ...(['covers_incomplete', 'no_origin', 'no_edition', 'nothing_below'] as const),
  ]),
  ...problemsIn(TEXTS, 'build', [
    ...([
      'site_build_failed',
      'not_installed',
      'build_running',
      'build_begun',
      'published_concurrently',
    ] as const),
  ]),
  ...problemsIn(TEXTS, 'init', [
    ...(['no_site', 'no_such_site', 'several_sites', 'config_unread', 'no_config', 'no_place'] as const),
    ...(['unknown_tools', 'unasked', 'without_effect'] as const),
  ]),
  ...problemsIn(TEXTS, 'publishing', [
    ...([
      'no_release_yet',
      'no_earlier_release',
      'no_such_release',
      'release_in_use',
      'would_widen',
    ] as const),
    ...(['file_gone', 'rollback_conflict', 'no_credentials', 'no_id_token', 'must_be_https'] as const),
    ...(['follow_no_folder', 'follow_not_installed', 'follow_unpublished', 'follow_failed'] as const),
    ...(['unreachable', 'published_unserved', 'not_accepted', 'other_version', 'missing_again'] as const),
    ...(['preview_name', 'name_branch', 'name_commit', 'expires_days', 'preview_not_found'] as const),
    ...(['follow_what', 'follow_branch', 'follow_folder', 'follow_every'] as const),
    ...(['name_missing', 'expires_missing', 'bad_may', 'token_not_found'] as const),
  ]),
  ...problemsIn(TEXTS, 'reports', [
    ...(['follow_output', 'follow_no_cursor', 'no_trail', 'trim_by_gate', 'export_folder_exists'] as const),
    ...(['no_export', 'no_key_yet', 'nothing_searched', 'nothing_reported', 'bad_days_or_limit'] as const),
    ...(['unexpected', 'bad_expect_first', 'export_options_missing', 'trim_needs', 'follow_needs'] as const),
    ...(['follow_waits', 'follow_gap', 'follow_rewritten', 'follow_altered'] as const),
    ...(['notices_off', 'notices_no_recipient', 'notice_refused'] as const),
  ]),
  ...problemsIn(TEXTS, 'serve', [
    ...(['port_unusable', 'port_taken', 'metrics_port_taken', 'not_permitted'] as const),
    ...(['no_such_address', 'no_packages', 'no_session_store'] as const),
  ]),
  ...problemsIn(TEXTS, 'site', [
    ...(['folder_not_found', 'no_name_for', 'page_exists', 'textlint_missing', 'not_a_folder'] as const),
    ...(['not_embedded', 'no_edition', 'undecodable', 'one_word', 'no_folder', 'wrong_base'] as const),
  ]),
  ...problemsIn(TEXTS, 'state', ['session_store_not_found', 'store_busy', 'set_sekisho_database']),
]
