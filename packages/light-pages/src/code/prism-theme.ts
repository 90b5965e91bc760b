/** Style as React takes it: properties in camel case. */
export interface TokenStyle {
  readonly [property: string]: string | number | undefined
}

/** A Prism theme as `themeConfig.prism` holds it. */
export interface PrismTheme {
  readonly plain: TokenStyle
  readonly styles: readonly {
    readonly types: readonly string[]
    readonly style: TokenStyle
    readonly languages?: readonly string[]
  }[]
}

/** Rules of a style sheet for tokens; of two with equal weight the later one wins. */
interface TokenRule {
  readonly types: string[]
  /** The language of the block, where the rule is for one alone. */
  readonly language?: string
  readonly style: TokenStyle
}

/**
 * Container types, outermost first: a token of several types (`tag`, `attr-value`, `punctuation`) then mostly gets its innermost style by
 * rule order alone.
 */
const OUTER_TYPES = [
  'tag',
  'doctype',
  'regex',
  'atrule',
  'url',
  'attr-value',
  'attr-name',
  'directive',
  'builtin',
  'class-name',
  'parameter',
  'interpolation-punctuation',
  'template-punctuation',
  'function-variable',
  'boolean',
  'string',
  'variable',
]

/** The style of each type in a language: prism-react-renderer's `themeToDict` (2.4.1). */
function readTypes({ styles }: PrismTheme, language: string | undefined): Map<string, TokenStyle> {
  const byType = new Map<string, TokenStyle>()
  for (const { types, style, languages } of styles) {
    if (languages !== undefined && (language === undefined || !languages.includes(language))) continue
    for (const type of types) byType.set(type, { ...byType.get(type), ...style })
  }
  return byType
}

/** The rules of a theme in the order in which a style sheet has to have them. */
export function orderRules(theme: PrismTheme): TokenRule[] {
  const languages = [...new Set(theme.styles.flatMap(({ languages = [] }) => languages))]
  const everywhere = readTypes(theme, undefined)
  const inLanguages = languages.map((language) => ({ language, styles: readTypes(theme, language) }))
  const rank = (type: string) => OUTER_TYPES.indexOf(type) + 1 || OUTER_TYPES.length + 1
  const types = new Set(theme.styles.flatMap(({ types }) => types))
  const outer: TokenRule[] = []
  const inner: TokenRule[] = []
  for (const type of [...types].sort((a, b) => rank(a) - rank(b))) {
    const rules = rank(type) > OUTER_TYPES.length ? inner : outer
    const style = everywhere.get(type)
    const own = inLanguages.flatMap(({ language, styles }) => {
      const there = styles.get(type)
      return there === undefined || isSame(there, style) ? [] : [{ types: [type], language, style: there }]
    })
    const mergeable = rules === inner ? inner : outer.slice(-1)
    const alike = mergeable.find((rule) => rule.language === undefined && isSame(rule.style, style))
    if (alike !== undefined && own.length === 0) alike.types.push(type)
    else if (style !== undefined) rules.push({ types: [type], style })
    rules.push(...own)
  }
  return [...outer, ...inner]
}

/** The types of a token, divided among elements; the outermost first. */
export type DividedTypes = readonly (readonly string[])[]

type DivideTypes = (types: readonly string[], language: string) => DividedTypes

/**
 * Makes every token look in each theme as prism-react-renderer draws it, where of several types the last one wins. One element
 * has all types if the rules give it that look; else the last ones get an element of their own inside, which inherits.
 */
export function createTypeDivider(themes: readonly PrismTheme[]): DivideTypes {
  const looks = themes.map((theme) => {
    const rules = orderRules(theme)
    const byLanguage = new Map<string, Map<string, TokenStyle>>()
    return (types: readonly string[], language: string): boolean => {
      const styles = byLanguage.get(language) ?? readTypes(theme, language)
      byLanguage.set(language, styles)
      const applied = rules.filter(
        (rule) => (rule.language ?? language) === language && rule.types.some((type) => types.includes(type)),
      )
      return isSame(merge(applied.map(({ style }) => style)), merge(types.map((type) => styles.get(type))))
    }
  })
  const divide: DivideTypes = (types, language) => {
    const from = types.findIndex((_, at) => looks.every((isRight) => isRight(types.slice(at), language)))
    return from <= 0 ? [types] : [...divide(types.slice(0, from), language), types.slice(from)]
  }
  const divided = new Map<string, DividedTypes>()
  return (types, language) => {
    if (types.length === 1) return [types]
    const key = [language, ...types].join(' ')
    const known = divided.get(key) ?? divide(types, language)
    divided.set(key, known)
    return known
  }
}

const merge = (styles: readonly (TokenStyle | undefined)[]): TokenStyle => Object.assign({}, ...styles)

function isSame(one: TokenStyle, other: TokenStyle | undefined): boolean {
  const names = new Set(Object.keys({ ...one, ...other }))
  return [...names].every((name) => one[name] === other?.[name])
}
