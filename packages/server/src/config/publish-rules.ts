import { parseHandwrittenJson } from '@sekisho/contract/handwritten-json'
import { ShapeReader } from '@sekisho/contract/json-shape'
import type { Message } from '@sekisho/contract/language'
import { PUBLISHER_RIGHTS, type PublisherRight } from '@sekisho/contract/publishing'
import { type FollowedFile, followedFile, type KeepOptions } from '../access/followed-file.ts'
import { problemOf } from '../texts/index.ts'

/** The claim in which each kind of CI names a repository by its id, GitHub and GitLab: names change hands, ids do not. */
export const REPOSITORY_CLAIMS = ['repository_id', 'project_id'] as const
export type RepositoryClaim = (typeof REPOSITORY_CLAIMS)[number]

/** Permission of a CI's jobs to publish. */
export interface PublishRule {
  readonly issuer: string
  readonly repository: { readonly claim: RepositoryClaim; readonly id: string }
  /** `refs/heads/main`, or for previews a beginning with `*` behind it. */
  readonly ref: string
  readonly may: readonly PublisherRight[]
  /** Required audience of the token; the portal's origin by default. */
  readonly audience: string | null
  /** The deployment environment of the job; any unless told otherwise. */
  readonly environment: string | null
}

const KEYS = ['issuer', ...REPOSITORY_CLAIMS, 'ref', 'may', 'audience', 'environment']
const REF = /^refs\/(?:heads|tags)\/[^\s*]*\*?$/
const LOOPBACK = /^(?:localhost|127\.0\.0\.1)$/

/** Reads `{"rules": […]}`; what is wrong is added to `problems`. */
export function readPublishRules(text: string, problems: Message[]): readonly PublishRule[] {
  const shape = new ShapeReader()
  const read = parseHandwrittenJson(text)
  if (!read.ok) shape.report('publish rules', read.problem)
  const root = shape.object(read.ok ? read.value : {}, 'publish rules', ['rules'])
  const rules = shape.array(root.rules, 'rules').map((value, index) => {
    shape.entry = String(index + 1)
    return readRule(shape.object(value, 'rule', KEYS), shape)
  })
  problems.push(...shape.problems)
  return rules
}

function readRule(rule: Record<string, unknown>, shape: ShapeReader): PublishRule {
  const optional = (key: string) => (rule[key] === undefined ? null : shape.text(rule[key], key))
  const issuer = shape.text(rule.issuer, 'issuer')
  if (!isSafeIssuer(issuer)) shape.report('issuer', problemOf('bad_issuer'))
  const named = REPOSITORY_CLAIMS.filter((claim) => rule[claim] !== undefined)
  if (named.length !== 1) shape.report('rule', problemOf('no_repository'))
  const claim = named.at(-1) ?? REPOSITORY_CLAIMS[0]
  const id = shape.matching(rule[claim], claim, /^\d{1,20}$/, problemOf('number_in_quotes'))
  const ref = shape.matching(rule.ref, 'ref', REF, problemOf('whole_ref'))
  const may = shape
    .array(rule.may, 'may')
    .map((right) => shape.oneOf(right, 'may', [...PUBLISHER_RIGHTS] as ['publish', 'rollback', 'preview']))
  if (may.length === 0) shape.report('may', problemOf('no_right', PUBLISHER_RIGHTS))
  if (ref.endsWith('*') && may.some((right) => right !== 'preview'))
    shape.report('ref', problemOf('wide_ref'))
  return {
    issuer,
    repository: { claim, id },
    ref,
    may,
    audience: optional('audience'),
    environment: optional('environment'),
  }
}

/** Tells if the transport of the keys is safe; a loopback address is of the same machine. */
function isSafeIssuer(issuer: string): boolean {
  const url = URL.parse(issuer)
  if (url === null || issuer.endsWith('/') || url.search !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

/** Follows the rules of a file: they are in force from the next request after it was written. */
export function publishRulesFile(path: string, options: KeepOptions): FollowedFile<readonly PublishRule[]> {
  const parse = (text: string): readonly PublishRule[] => {
    const problems: Message[] = []
    const rules = readPublishRules(text, problems)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return rules
  }
  return followedFile({ path, setting: 'SEKISHO_PUBLISH_RULES_FILE' }, parse, options)
}
