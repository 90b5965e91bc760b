const FOLDERS = new Set(['__sekisho', '__docusaurus', '__server', 'node_modules'])
const NAMES: readonly RegExp[] = [
  /\.map$/i,
  /^(?:[\w.-]*[-.])?stats\.json$/i,
  /^(?:asset|build|route|routes|client|server|rspack|webpack|bundle)-manifest\.json$/i,
  /^server\.bundle\.js$/i,
  /\.tsbuildinfo$/i,
  /\.(?:bak|orig|rej|tmp|swp|swo)$/i,
  /~$/,
  /^(?:Thumbs\.db|desktop\.ini)$/i,
]

/**
 * Tells if a file of the build stays out of releases: source maps, bundler statistics and manifests, leftovers of tools and editors, hidden
 * names but `.well-known`.
 * @param segments the path below the build folder, split at `/`
 */
export function isLeftOut(segments: readonly string[]): boolean {
  const name = segments.at(-1) ?? ''
  return (
    segments.slice(0, -1).some((folder) => FOLDERS.has(folder)) ||
    segments.some((segment) => segment.startsWith('.') && segment !== '.well-known') ||
    NAMES.some((pattern) => pattern.test(name))
  )
}
