/** Shortest and longest name of a preview. Two characters would put `--` where only IDNA labels have it (RFC 5891 §4.2.3.1). */
const NAME = /^(?=.{3,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_LABEL_CHARS = 63
const MAX_HOST_CHARS = 253

/** Tells if a text may name a preview: 3 to 40 of `a-z0-9-`, no hyphen at an end, no two together. */
export function isPreviewName(text: string): boolean {
  return NAME.test(text)
}

/**
 * The origin of a preview: `https://NAME--docs.example.co.jp`, one label with the portal's first, so that one wildcard certificate covers
 * both. For `localhost`, `http://NAME--portal.localhost:3000`. Null for labels over 63 characters, addresses and invalid names.
 */
export function previewOrigin(name: string, portal: URL): URL | null {
  const { hostname, protocol, port } = portal
  if (!isPreviewName(name) || isAddress(hostname)) return null
  const host = hostname === 'localhost' ? 'portal.localhost' : hostname
  const [label = ''] = `${name}--${host}`.split('.')
  if (label.length > MAX_LABEL_CHARS || name.length + 2 + host.length > MAX_HOST_CHARS) return null
  return new URL(`${protocol}//${name}--${host}${port === '' ? '' : `:${port}`}`)
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}
