/** What the components say in a build that is not in Japanese, by the ids of their Japanese texts. */
const ENGLISH: Readonly<Record<string, string>> = {
  'sekisho.configurationError.title': 'The identity service is not configured correctly',
  'sekisho.configurationError.text': 'Check the environment variables and the log.',
  'sekisho.session.account': 'Account and signed-in devices',
  'sekisho.session.elsewhere': 'Another browser: signed in {started}, last seen {seen}',
  'sekisho.session.here': 'This browser: signed in {started}',
  'sekisho.session.loading': 'Checking whether you are signed in',
  'sekisho.session.signOut': 'Sign out',
  'sekisho.session.signOutEverywhere': 'Sign out on all devices',
  'sekisho.session.signOutFailed': 'You could not be signed out. Check the connection and try again.',
  'sekisho.sidebar.loadFailed': 'The entries could not be loaded.',
  'sekisho.sidebar.retry': 'Try again',
}

/** Docusaurus's code translations for a locale; the components themselves speak Japanese. */
export const translationsFor = (locale: string): Record<string, string> =>
  locale.startsWith('ja') ? {} : { ...ENGLISH }
