import { TEXTS } from '../texts/index.ts'
import { createMessages, type Message, type MessageOrText } from '../texts/language.ts'

const tlsProblemOf = createMessages(TEXTS, 'tls')

type TlsProblem = Exclude<keyof (typeof TEXTS)['en']['tls'], 'failed'>

/** Codes of Node and OpenSSL for certificates that are not accepted. */
const TLS_PROBLEMS: ReadonlyMap<string, TlsProblem> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown_authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_authority'],
  ['CERT_UNTRUSTED', 'unknown_authority'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ['HOSTNAME_MISMATCH', 'other_name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'no_tls'],
])
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|EPROTO$)/

const MAX_CAUSES = 8

/** The system's code of a failed connection, from the innermost cause: messages may name what was sent. */
function connectionCode(error: unknown): string {
  let cause = error
  for (
    let depth = 0;
    depth < MAX_CAUSES && cause instanceof Error && cause.cause instanceof Error;
    depth += 1
  )
    cause = cause.cause
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'unknown'
}

/** The TLS problem that ended a connection, with its remedy; null for any other failure. */
export function findTlsProblem(error: unknown): Message | null {
  const code = connectionCode(error)
  const known = TLS_PROBLEMS.get(code)
  if (known !== undefined) return tlsProblemOf(known, code)
  return TLS_CODE.test(code) ? tlsProblemOf('failed', code) : null
}

/** The reason of a failed connection: a TLS problem with its remedy, else the system's code. */
export const connectionProblem = (error: unknown): MessageOrText =>
  findTlsProblem(error) ?? connectionCode(error)
