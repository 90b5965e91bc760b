import type { PageTexts } from './page-texts.ts'

const article = (label: string) => (/^[aeiou]/i.test(label) ? 'an' : 'a')

export const en: PageTexts = {
  invitation: {
    title: 'Please log in',
    lead: (label) =>
      `You need to log in ${label === null ? '' : `with ${article(label)} ${label} account `}to see this site.`,
  },
  refusal: {
    title: 'This account has no access',
    lead: ' is not allowed to see this site.',
    advice: 'Log in with another account, or ask your administrator.',
  },
  configurationError: {
    title: 'The identity service is not configured correctly',
    advice: 'Check the environment variables and the console.',
  },
  secureNote: 'Protected by a secure sign-in. This site never sees your password.',
  logInOnThisPage: 'Log in on this page instead',
  notConfigured: 'The identity service is not configured correctly. Please ask your administrator.',
  timedOut: 'there was no answer in time',
  failed: (message) => `Logging in failed: ${message}`,
  ended: {
    idle: 'You were logged out because you were away for a while. Log in again to return to this page.',
    absolute: 'Your login has expired. Log in again to return to this page.',
    revoked: 'An administrator ended this login. Log in again to go on.',
    elsewhere: 'This login was ended from another browser. If that was not you, tell your administrator.',
    account:
      'You were logged out because the account was disabled or changed. Please ask your administrator.',
    unproven: 'You were logged out because the account could not be confirmed again. Please log in again.',
    policy:
      'You were logged out because this account is no longer allowed in. Please ask your administrator.',
    replaced: 'This account was logged in too many times, so an unused login was ended. Please log in again.',
  },
  notices: {
    cancelled: 'You are not logged in yet. Please try again.',
    barred: 'This account is disabled. Use another one, or ask your administrator.',
    'no-email': 'This account has no mail address, so it cannot log in. Please use another one.',
    'unverified-email':
      'The mail address of this account is not verified at the identity service. Verify it there, or use another account.',
    expired: 'Logging in took too long, or went on in another browser. Please log in again.',
    tenant: 'This account is not of an organization that may log in here. Please use another account.',
    'no-answer': 'The identity service does not answer. Check your network connection and try again.',
  },
  admission: {
    rejected: 'Your login could not be confirmed. Please log in again.',
    'too-many-requests': 'Too many logins. Please wait a moment and try again.',
    'identity-unavailable':
      'The identity service is not available at the moment. Please try again in a while.',
    unavailable:
      'This site had a problem of its own, so you could not be logged in. Try again in a while; if it goes on, tell your administrator.',
    unreachable: 'The server cannot be reached. Check your network connection and try again.',
    'cookie-lost': 'Your browser did not keep the login. Allow cookies for this site and try again.',
    unexpected: 'Logging in did not work. If it happens again, please tell your administrator.',
  },
  waitSeconds: (seconds) => `Too many logins. Please wait about ${seconds} seconds and try again.`,
  progress: {
    redirect: (label) => `Going to the ${label} login page…`,
    popup: (label) => `Choose ${article(label)} ${label} account in the window that opened.`,
    slowPopup: (label) =>
      `Waiting for the ${label} window. If you cannot find it, you can log in on this page.`,
    asking: (email) => `Checking what ${email} may see…`,
    admitted: 'You are logged in. Opening the page…',
  },
}
