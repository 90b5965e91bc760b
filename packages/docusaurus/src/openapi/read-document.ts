import { createRequire } from 'node:module'
import path from 'node:path'
import type * as Redocly from '@redocly/openapi-core'
import type { MessageOrText } from '@sekisho/contract/language'
import { pageError } from '../writing/problems.ts'
import { inSiteLanguage } from '../writing/site-language.ts'
import { openapiProblemOf as problemOf } from '../writing/texts/index.ts'
import type { ApiDocument } from './document.ts'

/** Rules for a definition, besides the specification itself. */
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'operation-operationId-unique': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
} as const

/** Frequent messages of the validator, with remedies for a writer. */
const EXPLANATIONS: readonly (readonly [RegExp, (of: string, more: string) => MessageOrText])[] = [
  [/^The field (`[^`]+`) must be present/, (of) => problemOf('missing_field', of)],
  [/^Property (`[^`]+`) is not expected here/, (of) => problemOf('unexpected', of)],
  [/^(`[^`]+`) can be one of the following only: (.+?)\.?$/, (of, known) => problemOf('one_of', of, known)],
  [/^Expected type (`[^`]+`) but got (`[^`]+`)/, (of, found) => problemOf('other_type', of, found)],
  [/^Can't resolve \$ref/, () => problemOf('no_ref')],
  [/does not define the path parameter (`[^`]+`)/, (of) => problemOf('path_parameter', of)],
  [/^Path parameter (`[^`]+`) is not used/, (of) => problemOf('unused_parameter', of)],
  [/^Every operation must have a unique `operationId`/, () => problemOf('same_operation_id')],
]

/**
 * Reads, validates and bundles an OpenAPI definition with the site's own library.
 * @param file relative to the site
 * @returns the document, with internal references only, and every file read @throws PageError that names every problem by file and line
 */
export async function readDocument(
  siteDir: string,
  file: string,
): Promise<{ document: ApiDocument; files: readonly string[] }> {
  const ref = path.resolve(siteDir, file)
  const { createConfig, lint, bundle, getLineColLocation } = loadRedocly(siteDir)
  const config = await createConfig({ rules: RULES })
  const problems = await lint({ ref, config }).catch((error: unknown) => {
    throw pageError(explainFailure(file, error))
  })
  if (problems.length > 0) {
    const lines = problems.map(({ message, location: [place] }) => {
      if (place === undefined) return `- ${file}: ${explain(message)}`
      const { start, source } = getLineColLocation(place)
      return `- ${path.relative(siteDir, source.absoluteRef)}:${start.line}: ${explain(message)}`
    })
    throw pageError([inSiteLanguage(problemOf('not_right')), ...lines].join('\n'))
  }
  const { bundle: bundled, fileDependencies } = await bundle({ ref, config })
  const document = bundled.parsed as ApiDocument & { readonly swagger?: string }
  if (document.swagger !== undefined)
    throw pageError(inSiteLanguage(problemOf('swagger', file, document.swagger)))
  return { document, files: [ref, ...fileDependencies] }
}

function loadRedocly(siteDir: string): typeof Redocly {
  try {
    return createRequire(path.join(siteDir, 'package.json'))('@redocly/openapi-core')
  } catch (error) {
    if (Object(error).code !== 'MODULE_NOT_FOUND') throw error
    throw pageError(inSiteLanguage(problemOf('no_library')))
  }
}

function explain(message: string): string {
  for (const [pattern, adviceOf] of EXPLANATIONS) {
    const match = pattern.exec(message)
    if (match === null) continue
    const advice = inSiteLanguage(adviceOf(match[1] ?? '', match[2] ?? ''))
    return inSiteLanguage(problemOf('explained', advice, message))
  }
  return message
}

/** A file that is missing, no YAML or JSON, or no OpenAPI at all. */
function explainFailure(file: string, error: unknown): string {
  const { message, line, originalError } = Object(error)
  if (originalError?.code === 'ENOENT' || /^ENOENT/.test(message))
    return inSiteLanguage(problemOf('no_file', file))
  const [said = ''] = String(message).split('\n', 1)
  return inSiteLanguage(
    typeof line === 'number' ? problemOf('no_yaml', file, line, said) : problemOf('no_openapi', file, said),
  )
}
