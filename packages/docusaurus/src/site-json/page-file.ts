/**
 * The file Docusaurus writes for a route, relative to the output folder, with `/` between folders. Mirrors
 * `pathnameToFilename` of @docusaurus/core, which is not exported.
 */
export function pageFile(routePath: string, trailingSlash: boolean | undefined): string {
  const name = routePath.replace(/^\//, '')
  if (/\.html?$/i.test(name)) return name
  const folder = name.replace(/\/$/, '')
  if (trailingSlash === false && folder === name && folder !== '') return `${folder}.html`
  return folder === '' ? 'index.html' : `${folder}/index.html`
}
