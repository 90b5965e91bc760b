import { type Grant, readGrants } from '@sekisho/contract/grants'

/** Hosts that measure who reads what: named where pages ask for them, and never proposed. */
const TRACKERS =
  /(?:^|\.)(?:googletagmanager\.com|google-analytics\.com|analytics\.google\.com|doubleclick\.net|posthog\.com|plausible\.io|usefathom\.com|umami\.is|umami\.dev|matomo\.cloud|hotjar\.com|clarity\.ms|segment\.(?:com|io)|mixpanel\.com|amplitude\.com|heapanalytics\.com|fullstory\.com|cloudflareinsights\.com|vercel-insights\.com|hs-scripts\.com|koala\.live|getkoala\.com|reo\.dev)$/

export const isTracker = ({ source }: Grant): boolean => TRACKERS.test(URL.parse(source)?.hostname ?? '')

const TWEETS =
  'frame https://platform.twitter.com; style https://platform.twitter.com; img https://syndication.twitter.com'
const LAUNCH_DARKLY =
  'connect https://app.launchdarkly.com https://clientstream.launchdarkly.com https://events.launchdarkly.com'
/** Store of pictures and films that people attach to issues and texts. */
const GITHUB_FILES = 'https://github-production-user-asset-6210df.s3.amazonaws.com'

/** Further requests of a source once loaded, which no page names, in the syntax of SEKISHO_CSP_ALLOW. */
const COMPANIONS = {
  'style https://fonts.googleapis.com': 'font https://fonts.gstatic.com',
  'script https://use.typekit.net':
    'style https://use.typekit.net https://p.typekit.net; font https://use.typekit.net',
  'style https://use.typekit.net': 'style https://p.typekit.net; font https://use.typekit.net',
  'script https://kit.fontawesome.com':
    'style https://ka-f.fontawesome.com; font https://ka-f.fontawesome.com; connect https://ka-f.fontawesome.com',
  'script https://giscus.app': 'frame https://giscus.app; style https://giscus.app',
  'script https://utteranc.es': 'frame https://utteranc.es',
  'script https://gist.github.com': 'style https://github.githubassets.com',
  'script https://buttons.github.io': 'connect https://api.github.com',
  'script https://static.codepen.io': 'frame https://codepen.io',
  'script https://cpwebassets.codepen.io': 'frame https://codepen.io',
  'script https://platform.twitter.com': TWEETS,
  'script https://platform.x.com': TWEETS,
  'script https://www.instagram.com': 'frame https://www.instagram.com',
  'script https://asciinema.org': 'frame https://asciinema.org',
  'script https://js.stripe.com':
    'frame https://js.stripe.com https://hooks.stripe.com; connect https://api.stripe.com',
  'script https://app.launchdarkly.com': LAUNCH_DARKLY,
  'script https://clientsdk.launchdarkly.com': LAUNCH_DARKLY,
  'connect https://app.launchdarkly.com': LAUNCH_DARKLY,
  'script https://player.vimeo.com': 'frame https://player.vimeo.com',
  // Addresses that lead on to another host, which the policy asks about as well.
  'img https://github.com': `img https://avatars.githubusercontent.com https://raw.githubusercontent.com ${GITHUB_FILES}`,
  'media https://github.com': `media https://raw.githubusercontent.com ${GITHUB_FILES}`,
  'img https://raw.github.com': 'img https://raw.githubusercontent.com',
  'img https://source.unsplash.com': 'img https://images.unsplash.com',
  'img https://picsum.photos': 'img https://fastly.picsum.photos',
  'img https://opencollective.com': 'img https://images.opencollective.com',
  'img https://drive.google.com': 'img https://lh3.googleusercontent.com',
  'img https://unavatar.io': 'img https://avatars.githubusercontent.com',
  'img https://i.creativecommons.org': 'img https://licensebuttons.net',
  'frame https://youtu.be': 'frame https://www.youtube.com',
}

/** Grants for the further requests of a source: the fonts of a style sheet, such as KaTeX's on any host, are beside it. */
function companionsOf({ kind, source }: Grant): readonly Grant[] {
  const known = Object.entries(COMPANIONS).find(([of]) => of === `${kind} ${source}`)?.[1]
  return readGrants(known ?? (kind === 'style' ? `font ${source}` : ''), [])
}

/** Grants worth proposing: companions included, trackers excluded. */
export function proposalOf(seen: readonly Grant[]): readonly Grant[] {
  const wanted = seen.filter((grant) => !isTracker(grant))
  return [...wanted, ...wanted.flatMap(companionsOf)]
}
