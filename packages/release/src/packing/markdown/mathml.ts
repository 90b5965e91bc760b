import { collapseText } from '@sekisho/contract/page-markdown'
import { type Element, elementsOf, textOf } from './html-nodes.ts'

const group = (tex: string | undefined = ''): string => (tex.length === 1 ? tex : `{${tex}}`)

/** Elements whose parts have places; the others are their parts in a row. */
const PLACED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  annotation: () => '',
  'annotation-xml': () => '',
  mphantom: () => '',
  mfrac: ([over, under]) => `\\frac{${over}}{${under}}`,
  mover: ([base, over]) => `\\overset{${over}}{${base}}`,
  mroot: ([base, degree]) => `\\sqrt[${degree}]{${base}}`,
  msqrt: (parts) => `\\sqrt{${parts.join('')}}`,
  msub: ([base, low]) => `${group(base)}_${group(low)}`,
  msubsup: ([base, low, high]) => `${group(base)}_${group(low)}^${group(high)}`,
  msup: ([base, high]) => `${group(base)}^${group(high)}`,
  mtable: (rows) => `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`,
  mtr: (cells) => cells.join(' & '),
  munder: ([base, low]) => `${group(base)}_${group(low)}`,
  munderover: ([base, low, high]) => `${group(base)}_${group(low)}^${group(high)}`,
}

/** MathML as TeX, for a formula that holds no TeX of its own; characters stay as they are. */
export function texOf(element: Element): string {
  const inside = elementsOf(element)
  const place = PLACED[element.tagName]
  if (place !== undefined) return place(inside.map(texOf))
  if (inside.length > 0) return inside.map(texOf).join('')
  const text = collapseText(textOf(element))
    .replace(/[\u2061-\u2064]/g, '')
    .replace(/[{}$%#&_\\]/g, '\\$&')
    .trim()
  return element.tagName === 'mtext' ? `\\text{${text}}` : text
}
