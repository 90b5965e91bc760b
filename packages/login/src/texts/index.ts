import { type InEveryLanguage, pickLanguage } from '@sekisho/contract/language'
import type { Notice, SignInState } from '../sign-in/state.ts'
import { en } from './en.ts'
import { ja } from './ja.ts'
import type { PageTexts } from './page-texts.ts'

const ALL: InEveryLanguage<PageTexts> = { ja, en }

/** In the language of the document, which the gate chose; there is none where the shell is built. */
export const TEXTS = ALL[pickLanguage(globalThis.document?.documentElement.lang ?? 'ja')]

/** Describes a failure and its remedy. */
export function describeNotice(notice: Notice, texts = TEXTS): string {
  if (notice.kind === 'failed') return texts.failed(notice.message)
  if (notice.kind !== 'admission') return texts.notices[notice.kind]
  if (notice.reason === 'not-configured') return texts.notConfigured
  return notice.reason === 'too-many-requests' && notice.retryAfterSeconds !== null
    ? texts.waitSeconds(notice.retryAfterSeconds)
    : texts.admission[notice.reason]
}

/** Describes the step in progress; null without one. */
export function describeProgress(state: SignInState, { progress } = TEXTS): string | null {
  switch (state.status) {
    case 'signing-in':
      if (state.via === 'redirect') return progress.redirect(state.label)
      return state.isSlow ? progress.slowPopup(state.label) : progress.popup(state.label)
    case 'asking':
      return progress.asking(state.email)
    case 'admitted':
      return progress.admitted
    default:
      return null
  }
}
