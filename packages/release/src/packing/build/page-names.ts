import { PAGE_ENDING } from '@sekisho/contract/page-markdown'

const INDEX = /(^|\/)(?:index\.(?:[sx]?html?|xht)|default\.htm)$/i

/** Tells pages of a site by file name. */
export const isPageFile = (name: string): boolean => PAGE_ENDING.test(name)

export const isXhtmlFile = (name: string): boolean => /\.xht(?:ml)?$/i.test(name)

/** A page's name without its ending, as clean addresses have it. */
export const withoutEnding = (name: string): string => name.replace(PAGE_ENDING, '')

/**
 * The path of each page below the site's: the folder's for an index (`a/` of `a/index.htm` or IIS's `a/Default.htm`), else `nameOf`
 * its file. Of several indexes of a folder, the first in the order of servers has the folder.
 */
export function pagePaths(
  files: readonly string[],
  nameOf = (file: string): string => file,
): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const paths = new Map<string, string>()
  const rank = (file: string) => (/(?:^|\/)index\.html$/.test(file) ? 0 : /default\.htm$/i.test(file) ? 2 : 1)
  for (const file of files.toSorted((one, other) => rank(one) - rank(other))) {
    const folder = file.replace(INDEX, '$1')
    const path = [folder === file ? nameOf(file) : folder, file].find((one) => !taken.has(one)) ?? file
    taken.add(path)
    paths.set(file, path)
  }
  return paths
}
