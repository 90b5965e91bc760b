import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createMessages, type Message } from '@sekisho/contract/language'
import { DEFAULT_EDITION, type Edition } from '@sekisho/release'
import type { AuditSource } from '@sekisho/server/audit'
import { type AccessPolicy, admits, chooseEdition, groupsOf, readRules } from '@sekisho/server/settings'
import { type CommandIo, complainOf, misuse } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { withTrail } from '../../open-state.ts'
import { TEXTS } from '../../texts/index.ts'
import { csvFile } from './csv.ts'
import { ruleOf } from './explain.ts'
import { type KnownAccount, readTrailFacts, type TrailFacts } from './trail-facts.ts'

const messageOf = createMessages(TEXTS, 'access')

interface ReviewOptions {
  readonly dataDir: string | undefined
  readonly at: string | undefined
  readonly out: string | undefined
}

const COLUMNS: readonly Message[] = [
  messageOf('at'),
  messageOf('kind'),
  messageOf('who'),
  messageOf('issuer'),
  messageOf('subject'),
  messageOf('may_read'),
  messageOf('rule'),
  messageOf('groups'),
  messageOf('edition'),
  messageOf('first_sign_in'),
  messageOf('last_sign_in'),
  messageOf('last_read'),
]

/** Runs `sekisho access review`: who could read which edition at a time. That the review was made goes into the trail, with the digest of its rows. */
export async function review(options: ReviewOptions, io: CommandIo, help: Message): Promise<number> {
  const atMs = options.at === undefined ? io.clock() : Date.parse(options.at)
  if (Number.isNaN(atMs)) return misuse(io, help, AT_PROBLEM)
  return withTrail(options.dataDir, io, async ({ source, record }) => {
    const read = await readAccess(source, atMs, null, io)
    if ('problem' in read) return complainOf('access', read.problem, io)
    for (const warning of read.warnings) complainOf('access', warning, io)
    const { rows } = read
    const text = csvFile(rows)
    await record('access_reviewed', {
      at: new Date(atMs).toISOString(),
      rows: rows.length - 1,
      sha256: hash('sha256', text),
    })
    write(text, options.out, io)
    return 0
  })
}

/**
 * Rows of a review, headings first, out of the trail.
 * @param editions those to choose from; null for the ones that the gates served then
 */
export async function readAccess(
  source: AuditSource,
  atMs: number,
  editions: readonly Pick<Edition, 'name' | 'audiences'>[] | null,
  io: CommandIo,
): Promise<
  | { readonly rows: readonly (readonly string[])[]; readonly warnings: readonly Message[] }
  | { readonly problem: Message }
> {
  const facts = await readTrailFacts(source, atMs)
  const problem = findProblem(facts, atMs)
  if (problem !== null || facts.rules === null) return { problem: problem ?? UNKNOWN_RULES }
  const served = editions ?? facts.editions.map(readEdition)
  return {
    rows: reviewRows(facts, served, readRules(facts.rules).policy, atMs, io),
    warnings: findWarnings(facts),
  }
}

const AT_PROBLEM: Message = messageOf('at_problem')
const UNKNOWN_RULES: Message = messageOf('unknown_rules')

function findProblem({ beginsMs, rules }: TrailFacts, atMs: number): Message | null {
  if (beginsMs === null) return messageOf('trail_not_found')
  const begins = new Date(beginsMs).toISOString()
  if (atMs < beginsMs) return messageOf('audit_trail_begins', begins)
  return rules === null ? UNKNOWN_RULES : null
}

function findWarnings({ unreadable, others }: TrailFacts): readonly Message[] {
  const warnings: Message[] = []
  if (unreadable > 0) warnings.push(messageOf('trail_lines_unreadable', unreadable))
  if (others.length > 0) warnings.push(messageOf('other_gates_ran', others))
  return warnings
}

function write(text: string, out: string | undefined, io: CommandIo): void {
  if (out === undefined) {
    if (io.write === undefined) io.print(text.replace(/\n$/, ''))
    else io.write(text) // whose digest the trail has
    return
  }
  const file = resolve(io.cwd, out)
  writeFileSync(file, text, { mode: 0o600 })
  io.print(sayTo(io, messageOf('written', file)))
}

/** One row for each account that had signed in, and for each rule of the policy, with the access of its subjects. */
function reviewRows(
  facts: TrailFacts,
  editions: readonly Pick<Edition, 'name' | 'audiences'>[],
  policy: AccessPolicy,
  atMs: number,
  io: CommandIo,
): readonly (readonly string[])[] {
  const subjects = [...facts.accounts.map(accountSubject), ...ruleSubjects(policy, facts.accounts)]
  const rows = subjects.map(({ kind, who, issuer, sub, reader, times }) => {
    const mayRead = admits(policy, reader)
    const memberships = groupsOf(policy, reader)
    const groups = [...memberships]
    const edition = mayRead ? chooseEdition(editions.length === 0 ? [ONLY] : editions, memberships) : null
    return [
      iso(atMs),
      sayTo(io, kind),
      who,
      issuer,
      sub,
      sayTo(io, mayRead ? messageOf('yes') : messageOf('no')),
      ruleOf(reader, policy, groups) ?? '',
      groups.join(' '),
      edition?.name ?? '',
      ...times.map((timeMs) => (timeMs === null ? '' : iso(timeMs))),
    ]
  })
  return [COLUMNS.map((column) => sayTo(io, column)), ...rows]
}

const ONLY = { name: DEFAULT_EDITION, audiences: [] }

const iso = (timeMs: number): string => new Date(timeMs).toISOString()

function readEdition(line: string): Pick<Edition, 'name' | 'audiences'> {
  const [name = '', ...audiences] = line.split(' ')
  return { name, audiences }
}

interface Subject {
  readonly kind: Message
  readonly who: string
  readonly issuer: string
  readonly sub: string
  readonly reader: Parameters<typeof admits>[1]
  /** First and last sign-in, last reading. */
  readonly times: readonly [number | null, number | null, number | null]
}

function accountSubject({ email, issuer, sub, isVouched, groups, ...seen }: KnownAccount): Subject {
  return {
    kind: messageOf('kind_account'),
    who: email,
    issuer,
    sub,
    reader: { email, vouched: { address: isVouched, groups, hasAllGroups: true } },
    times: [seen.firstSignInMs, seen.lastSignInMs, seen.lastReadMs],
  }
}

/** Further subjects of the rules: addresses that had not signed in, whole domains, members of a provider's group. */
export function ruleSubjects(
  { domains, emails, groups }: AccessPolicy,
  accounts: readonly KnownAccount[],
): readonly Subject[] {
  const known = new Set(accounts.filter(({ isVouched }) => isVouched).map(({ email }) => email.toLowerCase()))
  const members = [...groups.values()]
  const all = {
    emails: new Set([...emails, ...members.flatMap((own) => [...own.emails])]),
    domains: new Set([...domains, ...members.flatMap((own) => [...own.domains])]),
    ids: new Set(members.flatMap((own) => [...own.ids])),
  }
  const nobody = { issuer: '', sub: '', times: [null, null, null] } as const
  const byAddress = (email: string) => ({ email, vouched: { address: true, groups: [], hasAllGroups: true } })
  return [
    ...[...all.emails]
      .filter((email) => !known.has(email))
      .map((who) => ({ kind: messageOf('kind_address'), who, ...nobody, reader: byAddress(who) })),
    ...[...all.domains].map((domain) => ({
      kind: messageOf('kind_domain'),
      who: domain,
      ...nobody,
      reader: byAddress(`anybody@${domain}`),
    })),
    ...[...all.ids].map((id) => ({
      kind: messageOf('kind_group'),
      who: id,
      ...nobody,
      reader: { email: '', vouched: { address: false, groups: [id], hasAllGroups: true } },
    })),
  ]
}
