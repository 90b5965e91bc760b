import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureIndex, type FixtureIndex, page } from './fixture-index.ts'

const inFolder = (folder: string, id: string, title: string, text: string) =>
  page(id, title, text, { url: `/docs/${folder}/${id}` })

const chapters = Array.from({ length: 20 }, (_, at) =>
  inFolder('book', `chapter-${at}`, `第${at}章`, `Rust の話を続けます。${at}番目です。`),
)
const notes = Array.from({ length: 20 }, (_, at) =>
  inFolder(
    'notes',
    `note-${at}`,
    `覚え書き${at}`,
    `${at % 2 === 0 ? '借用' : '購入'}した本の記録です。${at}番目です。`,
  ),
)

describe('a word that names the area of the site', () => {
  let index: FixtureIndex
  beforeAll(async () => {
    index = await createFixtureIndex([
      ...chapters,
      ...notes,
      inFolder('book', 'borrow', '値の扱いと例外', 'Rust では値を借用します。借用には規則があります。'),
      inFolder('notes', 'shelf', 'Rust の棚', '棚から借用した本の話です。'),
    ])
  })
  afterAll(() => index.remove())

  it('need not stand in the title of a page that lies there', () => {
    expect(index.find('Rust 借用')[0]).toBe('borrow')
  })

  it('leaves pages to be told apart by their titles when nothing else is asked', () => {
    expect(index.find('Rust')[0]).toBe('shelf')
  })
})
