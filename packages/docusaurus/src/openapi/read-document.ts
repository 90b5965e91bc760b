import { createRequire } from 'node:module'
import path from 'node:path'
import type * as Redocly from '@redocly/openapi-core'
import { pageError } from '../writing/problems.ts'
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
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^The field (`[^`]+`) must be present/, '$1 がありません。書き足してください。'],
  [/^Property (`[^`]+`) is not expected here/, '$1 はここには書けません。つづりと字下げを確認してください。'],
  [/^(`[^`]+`) can be one of the following only: (.+?)\.?$/, '$1 には $2 のどれかを書いてください。'],
  [/^Expected type (`[^`]+`) but got (`[^`]+`)/, '$1 を書くところに $2 があります。'],
  [/^Can't resolve \$ref/, '$ref の先がありません。名前と場所を確認してください。'],
  [/does not define the path parameter (`[^`]+`)/, 'パスパラメーター $1 を parameters に書いてください。'],
  [
    /^Path parameter (`[^`]+`) is not used/,
    'パスパラメーター $1 がパスにありません。パスに書くか、parameters から消してください。',
  ],
  [
    /^Every operation must have a unique `operationId`/,
    'operationId がほかの操作と同じです。別の名前にしてください。',
  ],
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
    throw pageError(['OpenAPI の定義を直してください。', ...lines].join('\n'))
  }
  const { bundle: bundled, fileDependencies } = await bundle({ ref, config })
  const document = bundled.parsed as ApiDocument & { readonly swagger?: string }
  if (document.swagger !== undefined)
    throw pageError(
      `${file}: Swagger ${document.swagger} の定義は読めません。OpenAPI 3.0 以上に変換してください（例: npx swagger2openapi）。`,
    )
  return { document, files: [ref, ...fileDependencies] }
}

function loadRedocly(siteDir: string): typeof Redocly {
  try {
    return createRequire(path.join(siteDir, 'package.json'))('@redocly/openapi-core')
  } catch (error) {
    if (Object(error).code !== 'MODULE_NOT_FOUND') throw error
    throw pageError(
      'OpenAPI の定義を読むライブラリーがありません。サイトのフォルダーで npm install --save-dev @redocly/openapi-core openapi-sampler を実行してください。',
    )
  }
}

function explain(message: string): string {
  for (const [pattern, advice] of EXPLANATIONS) {
    const match = pattern.exec(message)
    if (match !== null) return `${advice.replace(/\$(\d)/g, (_, at) => match[at] ?? '')}（${message}）`
  }
  return message
}

/** A file that is missing, no YAML or JSON, or no OpenAPI at all. */
function explainFailure(file: string, error: unknown): string {
  const { message, line, originalError } = Object(error)
  if (originalError?.code === 'ENOENT' || /^ENOENT/.test(message))
    return `${file} がありません。設定の file に、サイトのフォルダーから見た OpenAPI の定義の場所を書いてください。`
  if (typeof line === 'number')
    return `${file}:${line}: YAML または JSON として読めません。字下げと引用符を確認してください。（${String(message).split('\n', 1)[0]}）`
  return `${file}: OpenAPI の定義として読めません。先頭に openapi: 3.1.0 のような版が要ります。（${String(message).split('\n', 1)[0]}）`
}
