import { type MessageOrText, pickLanguage, sayIn } from '@sekisho/contract/language'

/** Hooks of the site's config and loaders learn by it what language the site is in; no hook of theirs is told. */
const SITE_LANGUAGE = 'SEKISHO_SITE_LANGUAGE'

/** The terminal's language, which `sekisho build` sets: a build of several locales speaks to its writer in one language. */
const TERMINAL_LANGUAGE = 'SEKISHO_TERMINAL_LANGUAGE'

/** Notes the language that a site is built in. */
export function noteSiteLanguage(locale: string): void {
  process.env[SITE_LANGUAGE] = pickLanguage(locale)
}

const siteLanguage = () => process.env[SITE_LANGUAGE] ?? 'ja'

/** Says something to writers in the language of the site, or of the terminal of `sekisho build`; in Japanese before a site has said. */
export const inSiteLanguage = (said: MessageOrText): string =>
  sayIn(said, pickLanguage(process.env[TERMINAL_LANGUAGE] ?? siteLanguage()))

/** Says something to readers, within a page, in the language that the site is built in. */
export const inPageLanguage = (said: MessageOrText): string => sayIn(said, pickLanguage(siteLanguage()))
