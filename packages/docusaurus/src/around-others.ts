/** A theme component of ours by its name below `@theme`, and its file. */
type OwnComponents = Readonly<Record<string, string>>

/**
 * Aliases that keep components around those of that name which the site, or another theme, has; ours render `sekisho-inner/NAME`.
 * A theme's own folder does not do: a site's components, and themes listed later, go before it.
 * @param known the aliases of the bundler's configuration
 */
export function aroundOthers(
  known: unknown,
  components: OwnComponents,
): { [request: string]: string | false } {
  const aliases: Readonly<Record<string, string>> = Object(known)
  const found = Object.entries(components).map(([name, ours]) => {
    const inner = aliases[`@theme/${name}`] ?? false
    // Only a component that several themes have is known as the first one's.
    const stock = aliases[`@theme-init/${name}`] ?? aliases[`@theme-original/${name}`] ?? false
    if (inner === ours) return { [`sekisho-inner/${name}$`]: stock }
    return {
      [`sekisho-inner/${name}$`]: inner,
      [`@theme/${name}$`]: ours,
      [`@theme-original/${name}$`]: stock,
    }
  })
  return Object.assign({}, ...found)
}
