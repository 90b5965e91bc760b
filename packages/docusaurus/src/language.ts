import i18n from '@generated/i18n'

/** Our texts in the language of the build: Japanese, and English in every other one. */
export const inLanguage = <T>(texts: { readonly ja: T; readonly en: T }): T =>
  i18n.currentLocale.startsWith('ja') ? texts.ja : texts.en
