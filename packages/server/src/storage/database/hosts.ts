/** Problems of the addresses in a URL; each kind has its sentence where settings are read. */
type HostsProblem = 'shape' | 'session-attrs' | 'hosts'

/** The servers that a URL names. */
type DatabaseHosts =
  | { readonly urls: readonly string[]; readonly problem: null }
  | { readonly urls: null; readonly problem: HostsProblem }

/** Servers of one database: a primary and what may follow it. */
const MAX_HOSTS = 9
/** Those of libpq that mean a server that takes writes; a gate asks for that in any case. */
const WRITABLE: ReadonlySet<string> = new Set(['read-write', 'primary'])

/**
 * Splits `postgres://role:password@a:5432,b:5433/db?…` into a URL for each server, in their order, as libpq reads it. `target_session_attrs` may
 * ask for a server that takes writes, which is what is asked for without it, too.
 */
export function readHosts(text: string): DatabaseHosts {
  const [, scheme, user = '', places = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^@/?#]*)(\/[^#]*)$/.exec(text) ?? []
  if (scheme === undefined) return refused('shape')
  const urls: string[] = []
  for (const place of places.split(',')) {
    const url = URL.parse(`${scheme}${user}${place}${rest}`)
    if (url === null || url.pathname.length < 2) return refused('shape')
    const wanted = url.searchParams.getAll('target_session_attrs')
    if (!wanted.every((one) => WRITABLE.has(one)) || wanted.length > 1) return refused('session-attrs')
    if (place === '' && places !== '') return refused('hosts')
    // Taken out by hand: URL would write the other parameters anew.
    urls.push(`${scheme}${user}${place}${withoutSessionAttrs(rest)}`)
  }
  const isAside = urls.length > 1 && /[?&](?:host|port)=/.test(rest)
  return isAside || urls.length > MAX_HOSTS ? refused('hosts') : { urls, problem: null }
}

function refused(problem: HostsProblem): DatabaseHosts {
  return { urls: null, problem }
}

function withoutSessionAttrs(rest: string): string {
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  const kept = query.split('&').filter((one) => one !== '' && !one.startsWith('target_session_attrs='))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}
