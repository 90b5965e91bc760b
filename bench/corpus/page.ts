import type { Random } from './random.ts'
import { CLAUSES, CODE, NOUNS, TOPICS } from './words.ts'

/** One block of a generated page, free of any generator's dialect. */
export type Block =
  | { type: 'prose'; text: string }
  | { type: 'list'; items: string[] }
  | { type: 'code'; language: keyof typeof CODE; title: string; code: string }
  | { type: 'table'; rows: [string, ...string[]][] }
  | { type: 'admonition'; kind: 'note' | 'tip' | 'warning'; text: string }

/** A generated page before it is written in one generator's dialect. */
export interface Page {
  slug: string
  title: string
  description: string
  sections: { heading: string; level: 2 | 3; blocks: Block[] }[]
}

/** Writes one page's content; the number keeps titles and slugs distinct. */
export function createPage(random: Random, serial: number): Page {
  const title = `${random.pick(NOUNS)}${random.pick(TOPICS)} ${serial}`
  const sections: Page['sections'] = []
  const count = random.between(4, 7)
  for (let index = 0; index < count; index += 1) {
    const blocks = [
      paragraph(random),
      ...(random.chance(0.6) ? [paragraph(random)] : []),
      extra(random, serial),
    ]
    sections.push({
      heading: `${random.pick(NOUNS)}${random.pick(TOPICS)}`,
      level: index > 0 && random.chance(0.35) ? 3 : 2,
      blocks,
    })
  }
  return { slug: `page-${serial}`, title, description: sentence(random), sections }
}

function sentence(random: Random): string {
  return random.pick(CLAUSES)(random.pick(NOUNS), random.pick(NOUNS))
}

function paragraph(random: Random): Block {
  return {
    type: 'prose',
    text: Array.from({ length: random.between(2, 5) }, () => sentence(random)).join(''),
  }
}

function extra(random: Random, serial: number): Block {
  const kind = random.pick(['code', 'code', 'table', 'admonition', 'list'])
  if (kind === 'code') {
    const language = random.pick<keyof typeof CODE>(['bash', 'ts', 'yaml', 'json', 'sql'])
    const code = CODE[language].replaceAll('%', String(random.between(1, 9)))
    return { type: 'code', language, title: `sample-${serial}.${language}`, code }
  }
  if (kind === 'table') {
    const rows = Array.from({ length: random.between(3, 6) }, (): [string, ...string[]] => [
      random.pick(NOUNS),
      `${random.between(1, 900)} ms`,
      sentence(random),
    ])
    return { type: 'table', rows }
  }
  if (kind === 'admonition') {
    return { type: 'admonition', kind: random.pick(['note', 'tip', 'warning']), text: sentence(random) }
  }
  return { type: 'list', items: Array.from({ length: random.between(3, 5) }, () => sentence(random)) }
}
