import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** File in which a development server leaves a definition's problems for `sekisho dev`: beside the folder of its pages. */
const problemFile = (folder: string): string => `${folder}.problem.txt`

/** Keeps what is wrong with the definition whose pages are in a folder; null once it is mended. */
export function keepProblem(folder: string, problem: string | null): void {
  if (problem === null) rmSync(problemFile(folder), { force: true })
  else writeFileSync(problemFile(folder), problem)
}

/** Problems of a site's definitions. */
export function readOpenApiProblems(siteDir: string): string[] {
  const cache = path.join(siteDir, '.cache')
  return globSync('sekisho-openapi*.problem.txt', { cwd: cache }).map((name) =>
    readFileSync(path.join(cache, name), 'utf8'),
  )
}
