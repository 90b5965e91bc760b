import type { Grant, GrantKind } from '@sekisho/contract/grants'

/** A resource or script that the gate's content policy blocks, and the grant that would allow it; null where none can. */
export interface Refusal {
  /** Short form for the writer: `img https://badges.example`, `button onclick`. */
  readonly what: string
  readonly grant: Grant | null
  /** A resource that the grant would allow; absent without one. */
  readonly address?: string
}

/** Block of an address that a page names; null where it is allowed. */
export function refuseAddress(address: string, kind: GrantKind | null, element: string): Refusal | null {
  if (!/^(?:https?:)?\/\//i.test(address)) return null
  const url = URL.parse(address, 'https://release.invalid')
  const isGrantable = kind !== null && url?.protocol === 'https:'
  const grant = isGrantable ? { kind, source: url.origin } : null
  if (url === null || grant === null) return { what: `${element} ${address}`, grant: null }
  return { what: `${kind} ${url.origin}`, grant, address: url.href }
}

/** The addresses of a `srcset` that name a host. */
export function addressesInSrcset(srcset: string): readonly string[] {
  return [...srcset.matchAll(/(?:^|,)\s*((?:https?:)?\/\/[^\s,]+)/gi)].map(([, address = '']) => address)
}

/** Blocks in a style sheet, a `style` element or a `style` attribute. */
export function refuseStyles(css: string): readonly Refusal[] {
  if (!/\/\//.test(css)) return []
  const fonts = [...css.matchAll(/@font-face\s*\{[^}]*\}/gi)].map(([block]) => block).join('\n')
  const others = css.replace(/@font-face\s*\{[^}]*\}/gi, '')
  const imports = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)[^;]*;?/gi
  const found = [
    ...[...others.matchAll(imports)].map(([, address = '']) => refuseAddress(address, 'style', '@import')),
    ...addressesIn(fonts).map((address) => refuseAddress(address, 'font', 'font')),
    ...addressesIn(others.replace(imports, '')).map((address) => refuseAddress(address, 'img', 'url')),
  ]
  return found.filter((one) => one !== null)
}

function addressesIn(css: string): readonly string[] {
  return [...css.matchAll(/url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)/gi)].map(([, address = '']) => address)
}

/** Each refusal once, by what it is of. */
export const eachOnce = (refusals: Iterable<Refusal>): readonly Refusal[] => [
  ...new Map([...refusals].map((one) => [one.what, one])).values(),
]

/** Resources of a style sheet that the content policy blocks. */
export const readStyleSheet = (css: string): readonly Refusal[] => eachOnce(refuseStyles(css))
