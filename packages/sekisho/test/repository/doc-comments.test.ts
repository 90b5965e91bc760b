import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from '@babel/parser'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCES = '{packages/*,lab,bench,e2e,scripts}/**/*.{ts,tsx,mjs}'
const LEFT_OUT = ['**/node_modules/**', '**/{.cache,.sekisho,dist,build}/**', '**/*.generated.*']

const QUESTION = /^(?:what|whether|where|who|whom|whose|which|how|when|why)(?:ever)?\b/i
const PERSON = /\b(?:nobody|no one|somebody|someone|everybody|everyone|anybody|anyone|whoever)\b/i

const comments = globSync(SOURCES, { cwd: ROOT, exclude: LEFT_OUT }).flatMap(docCommentsOf)

it.each([
  ['open with a question word', 0.005, (text: string) => QUESTION.test(text)],
  ['speak of nobody, somebody or whoever', 0.002, (text: string) => PERSON.test(text)],
  ['have a first sentence of more than 25 words', 0, (text: string) => countWords(firstSentence(text)) > 25],
  ['have more than 45 words', 0.0005, (text: string) => countWords(text) > 45],
])('few doc comments %s', (_, limit, isMeant) => {
  const found = comments.filter(({ text }) => isMeant(text))
  expect(found.slice(0, found.length / comments.length > limit ? 50 : 0)).toEqual([])
})

interface DocComment {
  readonly place: string
  readonly text: string
}

/** Doc comments of a file, each on one line. */
function docCommentsOf(file: string): DocComment[] {
  const source = readFileSync(`${ROOT}/${file}`, 'utf8')
  const { comments } = parse(source, {
    sourceType: 'unambiguous',
    plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'],
  })
  return (comments ?? []).flatMap(({ type, value, loc }) =>
    type === 'CommentBlock' && value.startsWith('*')
      ? [
          {
            place: `${file}:${loc?.start.line}`,
            text: value
              .replace(/(?:^|\n)\s*\*/g, ' ')
              .replace(/\s+/g, ' ')
              .trim(),
          },
        ]
      : [],
  )
}

function firstSentence(text: string): string {
  return /^.*?[.:;!?](?=\s|$)/.exec(text)?.[0] ?? text
}

function countWords(text: string): number {
  return text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
