import type { Grant } from '@sekisho/contract/grants'

/** Hosts that measure who reads what: named where pages ask for them, and never proposed. */
const TRACKERS =
  /(?:^|\.)(?:googletagmanager\.com|google-analytics\.com|analytics\.google\.com|doubleclick\.net|posthog\.com|plausible\.io|usefathom\.com|umami\.is|umami\.dev|matomo\.cloud|hotjar\.com|clarity\.ms|segment\.(?:com|io)|mixpanel\.com|amplitude\.com|heapanalytics\.com|fullstory\.com|cloudflareinsights\.com|vercel-insights\.com|hs-scripts\.com|koala\.live|getkoala\.com|reo\.dev)$/

export const isTracker = ({ source }: Grant): boolean => TRACKERS.test(URL.parse(source)?.hostname ?? '')

/** Further requests of a source once loaded, which no page names. */
const COMPANIONS: readonly (readonly [of: RegExp, ...grants: Grant[]])[] = [
  [/^style https:\/\/fonts\.googleapis\.com$/, { kind: 'font', source: 'https://fonts.gstatic.com' }],
  [
    /^(?:script|style) https:\/\/use\.typekit\.net$/,
    { kind: 'style', source: 'https://use.typekit.net' },
    { kind: 'style', source: 'https://p.typekit.net' },
    { kind: 'font', source: 'https://use.typekit.net' },
  ],
  [
    /^script https:\/\/giscus\.app$/,
    { kind: 'frame', source: 'https://giscus.app' },
    { kind: 'style', source: 'https://giscus.app' },
  ],
  [/^script https:\/\/utteranc\.es$/, { kind: 'frame', source: 'https://utteranc.es' }],
  [/^script https:\/\/buttons\.github\.io$/, { kind: 'connect', source: 'https://api.github.com' }],
  [
    /^script https:\/\/platform\.(?:twitter|x)\.com$/,
    { kind: 'frame', source: 'https://platform.twitter.com' },
    { kind: 'style', source: 'https://platform.twitter.com' },
    { kind: 'img', source: 'https://syndication.twitter.com' },
  ],
  [
    /^script https:\/\/(?:app|clientsdk)\.launchdarkly\.com$|^connect https:\/\/app\.launchdarkly\.com$/,
    { kind: 'connect', source: 'https://app.launchdarkly.com' },
    { kind: 'connect', source: 'https://clientstream.launchdarkly.com' },
    { kind: 'connect', source: 'https://events.launchdarkly.com' },
  ],
  // Addresses of pictures that lead on to another host, which the policy asks about as well.
  [
    /^img https:\/\/github\.com$/,
    { kind: 'img', source: 'https://avatars.githubusercontent.com' },
    { kind: 'img', source: 'https://raw.githubusercontent.com' },
  ],
  [/^img https:\/\/source\.unsplash\.com$/, { kind: 'img', source: 'https://images.unsplash.com' }],
  [/^img https:\/\/picsum\.photos$/, { kind: 'img', source: 'https://fastly.picsum.photos' }],
  [/^img https:\/\/opencollective\.com$/, { kind: 'img', source: 'https://images.opencollective.com' }],
  [/^img https:\/\/drive\.google\.com$/, { kind: 'img', source: 'https://lh3.googleusercontent.com' }],
  [/^img https:\/\/unavatar\.io$/, { kind: 'img', source: 'https://avatars.githubusercontent.com' }],
  [/^script https:\/\/player\.vimeo\.com$/, { kind: 'frame', source: 'https://player.vimeo.com' }],
]

/** Grants worth proposing: companions included, trackers excluded. */
export function proposalOf(seen: readonly Grant[]): readonly Grant[] {
  const wanted = seen.filter((grant) => !isTracker(grant))
  const companions = wanted.flatMap(({ kind, source }) =>
    COMPANIONS.filter(([of]) => of.test(`${kind} ${source}`)).flatMap(([, ...grants]) => grants),
  )
  return [...wanted, ...companions]
}
