/** A Prism theme as `themeConfig.prism` holds it. */
export interface PrismTheme {
  plain: { [property: string]: string | undefined }
  styles: { types: string[]; style: { [property: string]: string | undefined }; languages?: string[] }[]
}

/**
 * Writes Prism themes as a style sheet: colours by class, so that no element needs a style attribute and
 * a change of colour mode renders nothing again. Empty for themes that leave colours to the site's own CSS.
 */
export function writePrismCss(light: PrismTheme | undefined, dark: PrismTheme | undefined): string {
  const rules = writeTheme(light, ':root')
  return [...rules, ...writeTheme(dark ?? light, "html[data-theme='dark']")].join('\n')
}

function writeTheme(theme: PrismTheme | undefined, scope: string): string[] {
  if (theme === undefined) return []
  const { color, backgroundColor } = theme.plain
  const plain = writeDeclarations({ '--prism-color': color, '--prism-background-color': backgroundColor })
  const rules = theme.styles.map(({ types, style, languages }) => {
    const inside =
      languages === undefined ? '' : ` :is(${languages.map((name) => `.language-${name}`).join(', ')})`
    return [
      `${scope}${inside} .token:is(${types.map((type) => `.${type}`).join(', ')})`,
      writeDeclarations(style),
    ] as const
  })
  return [[scope, plain] as const, ...rules]
    .filter(([, body]) => body !== '')
    .map(([selector, body]) => `${selector} { ${body} }`)
}

function writeDeclarations(style: { [property: string]: string | undefined }): string {
  return Object.entries(style)
    .flatMap(([property, value]) => (value === undefined ? [] : [`${toCssName(property)}: ${value};`]))
    .join(' ')
}

function toCssName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
