import { type MessageOrText, pickLanguage, sayIn } from '@sekisho/contract/language'

/** Hooks of the site's config and loaders learn by it what language the site is in; no hook of theirs is told. */
const SITE_LANGUAGE = 'SEKISHO_SITE_LANGUAGE'

/** Notes the language that a site is built in. */
export function noteSiteLanguage(locale: string): void {
  process.env[SITE_LANGUAGE] = pickLanguage(locale)
}

/** Says something in the language of the site; in Japanese before a site has said. */
export const inSiteLanguage = (said: MessageOrText): string =>
  sayIn(said, pickLanguage(process.env[SITE_LANGUAGE] ?? 'ja'))
