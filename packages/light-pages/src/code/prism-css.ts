import { FINISHED_CODE } from './code-lines.ts'
import { orderRules, type PrismTheme, type TokenStyle } from './prism-theme.ts'

/**
 * Matches the weight of stock's style attributes, so that no further rule of the site wins. Every element is `:defined`; without such a
 * young pseudo-class, clean-css on sites without Rspack merges rules of one colour and loses their order.
 */
const AS_STYLE = ':not(#_):defined'

/** Numbers that React writes without `px`. */
const UNITLESS = new Set(['fontWeight', 'lineHeight', 'opacity', 'zIndex'])

/**
 * Writes Prism themes as a style sheet: colours by class, so that no element needs a style attribute and
 * a change of colour mode renders nothing again. Empty for themes that leave colours to the site's own CSS.
 */
export function writePrismCss(light: PrismTheme | undefined, dark: PrismTheme | undefined): string {
  if (dark === undefined || JSON.stringify(dark) === JSON.stringify(light)) return writeTheme(light, '')
  const isDark = "[data-theme='dark']"
  return [writeTheme(light, `html:not(${isDark}) `), writeTheme(dark, `html${isDark} `)]
    .filter((rules) => rules !== '')
    .join('\n')
}

function writeTheme(theme: PrismTheme | undefined, scope: string): string {
  if (theme === undefined) return ''
  const { backgroundColor, ...line } = theme.plain
  const pre = `${scope}.${FINISHED_CODE}${AS_STYLE}`
  const colours = { '--prism-color': line.color, '--prism-background-color': backgroundColor }
  const rules: [selector: string, style: TokenStyle][] = [
    [`${scope}.theme-code-block${AS_STYLE}`, colours],
    [pre, { backgroundColor }],
    [`${pre}, ${pre} .token-line`, line],
    ...orderRules(theme).map(({ types, language, style }): [string, TokenStyle] => {
      const names = types.map((type) => `.${escapeName(type)}`)
      const block = language === undefined ? pre : `${pre}:where(.language-${escapeName(language)})`
      return [`${block} .token${names.length === 1 ? names : `:is(${names.join(', ')})`}`, style]
    }),
  ]
  return rules
    .map(([selector, style]) => [selector, writeDeclarations(style)])
    .filter(([, body]) => body !== '')
    .map(([selector, body]) => `${selector} { ${body} }`)
    .join('\n')
}

function writeDeclarations(style: TokenStyle): string {
  return Object.entries(style)
    .flatMap(([property, value]) => {
      if (value === undefined) return []
      const unit = typeof value === 'number' && value !== 0 && !UNITLESS.has(property) ? 'px' : ''
      // No rule of the sheet is to win over a later type; those of the site it wins over in any case.
      return [`${toCssName(property)}: ${String(value).replace(/\s*!important$/, '')}${unit};`]
    })
    .join(' ')
}

function toCssName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function escapeName(name: string): string {
  return name.replace(
    /^\d|[^\w\-\u0080-\uffff]/g,
    (character) => `\\${character.charCodeAt(0).toString(16)} `,
  )
}
