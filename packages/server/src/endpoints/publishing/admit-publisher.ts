import { PUBLISH_TOKEN_PREFIX, type PublisherRight } from '@sekisho/contract/publishing'
import type { PublisherStore } from '../../state/publishers/index.ts'
import { digestOf } from '../../state/publishers/index.ts'
import type { CiVerdict } from './ci-token.ts'

/** A publisher with its rights. */
export interface Publisher {
  /** For the trail: the job's repository and ref, or the token's name and id. */
  readonly by: string
  /** The same text for one repository and ref, whatever they are called, or for one token. */
  readonly owner: string
  readonly may: readonly PublisherRight[]
  readonly token: string | null
}

export type Admission =
  | { readonly ok: true; readonly publisher: Publisher }
  | { readonly ok: false; readonly reason: string; readonly by: string | null }

interface AdmitOptions {
  readonly verifyCi: (token: string) => Promise<CiVerdict>
  readonly store: PublisherStore
  readonly now: () => number
}

/** Tells who credentials are of. A CI's token counts once, a publish token until it expires or is removed. */
export function createAdmit({ verifyCi, store, now }: AdmitOptions) {
  async function admitToken(text: string): Promise<Admission> {
    const token = await store.findToken(digestOf(text))
    if (token === null) return { ok: false, reason: 'token', by: null }
    const by = `token ${token.name} (${token.id})`
    if (now() >= token.expiresAtMs) return { ok: false, reason: 'expired', by }
    return { ok: true, publisher: { by, owner: `token ${token.id}`, may: token.may, token: token.id } }
  }

  async function admitJob(text: string): Promise<Admission> {
    const verdict = await verifyCi(text)
    const { job } = verdict
    const by = job === null ? null : `${job.issuer} ${job.repository} ${job.ref}`
    if (!verdict.ok) return { ok: false, reason: verdict.reason, by }
    const { spend, rule, owner } = verdict
    if (!(await store.spend(digestOf(spend.id), spend.expiresAtMs)))
      return { ok: false, reason: 'replayed', by }
    return { ok: true, publisher: { by: by ?? '', owner, may: rule.may, token: null } }
  }

  return (text: string): Promise<Admission> =>
    text.startsWith(PUBLISH_TOKEN_PREFIX) ? admitToken(text) : admitJob(text)
}
