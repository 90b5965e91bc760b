import { isJapanese } from '@sekisho/contract/language'

/** English texts of the components, by the ids of their Japanese texts, for builds in other languages. */
const ENGLISH: Readonly<Record<string, string>> = {
  'sekisho.configurationError.title': 'The identity service is not configured correctly',
  'sekisho.configurationError.text': 'Check the environment variables and the log.',
  'sekisho.connection.lost': 'There is no connection. This page goes on by itself once it is back.',
  'sekisho.connection.retry': 'Try again',
  'sekisho.crash.advice': 'If it fails again, contact the operator of this site with the message below.',
  'sekisho.notFound.home': 'To the home page',
  'sekisho.release.close': 'Close',
  'sekisho.release.newer': 'There is a newer version.',
  'sekisho.release.edition': 'What you may read has changed.',
  'sekisho.release.gone': 'The newer version does not have this page.',
  'sekisho.release.reload': 'Open the newer version',
  'sekisho.session.account': 'Account and signed-in devices',
  'sekisho.session.cancel': 'Cancel',
  'sekisho.session.confirm': 'End it',
  'sekisho.session.end': 'End',
  'sekisho.session.endOf': 'End the session of {device}',
  'sekisho.session.endQuestion': 'End the session of {device}?',
  'sekisho.session.everywhereQuestion': 'Sign out on all devices, this one included?',
  'sekisho.session.here': 'This browser',
  'sekisho.session.listFailed': 'There is no connection.',
  'sekisho.session.loading': 'Checking whether you are signed in',
  'sekisho.session.noDevice': 'Unknown browser',
  'sekisho.session.signOut': 'Sign out',
  'sekisho.session.openItems': '{count} to acknowledge',
  'sekisho.session.openPages': 'Pages to acknowledge',
  'sekisho.session.page': 'Groups and edition',
  'sekisho.session.signOutEverywhere': 'Sign out on all devices',
  'sekisho.session.signOutFailed': 'You could not be signed out. Check the connection and try again.',
  'sekisho.session.when': 'Signed in {started}, last seen {seen}',
  'sekisho.sidebar.loadFailed': 'The entries could not be loaded.',
  'sekisho.sidebar.retry': 'Try again',
  'sekisho.toc.label': 'On this page',
}

/** Docusaurus's code translations for a locale; the components themselves speak Japanese. */
export const translationsFor = (locale: string): Record<string, string> =>
  isJapanese(locale) ? {} : { ...ENGLISH }
