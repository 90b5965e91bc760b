import { attribute, type Element, elementsOf, findAll, hasClass } from './html-nodes.ts'

/** Empty cells that merged ones may add: as many as a table has of its own, and some for small ones. */
const SPARE_CELLS = 2000

/** The rows of a table, without those of tables within. */
export const rowsOf = (table: Element): Element[][] =>
  findAll(table, ({ tagName }) => tagName === 'tr').map((row) =>
    elementsOf(row).filter(({ tagName }) => /^t[dh]$/.test(tagName)),
  )

/** Rows of a table made of `div`: some cells that are headings, then as many for each row (Javadoc); null for any other element. */
export function gridOf(element: Element): Element[][] | null {
  if (element.tagName !== 'div') return null
  const cells = elementsOf(element)
  const columns = cells.findIndex((cell) => !isGridHeading(cell))
  if (columns < 2 || cells.length % columns !== 0) return null
  return Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  )
}

const isGridHeading = (cell: Element): boolean =>
  cell.tagName === 'div' && (hasClass(cell, 'table-header') || attribute(cell, 'role') === 'columnheader')

/** True for a table that only places things: it says so, or has one row and no headings. */
export const isLayout = (table: Element, rows: readonly (readonly Element[])[]): boolean =>
  /^(?:presentation|none)$/.test(attribute(table, 'role') ?? '') ||
  (rows.length === 1 && rows[0]?.every(({ tagName }) => tagName === 'td') === true)

/** Writes a table; one without a row of headings gets an empty one, since GFM has no other. Rows may end early, and empty ones are left out. */
export function tableMarkdown(
  rows: readonly (readonly Element[])[],
  write: (cell: Element) => string,
): string {
  const texts = placeCells(rows, write)
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0)
  if (width === 0) return ''
  const [first, ...others] = rows[0]?.every(isHeading) === true ? texts : [[], ...texts]
  const head = Array.from({ length: width }, (_, at) => first?.[at] ?? '')
  const body = others.filter((row) => row.some((text) => text !== ''))
  return [head, Array<string>(width).fill('---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const isHeading = (cell: Element): boolean =>
  cell.tagName === 'th' ||
  isGridHeading(cell) ||
  (cell.parentNode?.nodeName === 'tr' && (cell.parentNode as Element).parentNode?.nodeName === 'thead')

/** The text of each cell in its column, with an empty one in each place that a merged cell covers (HTML, "forming a table"). */
function placeCells(rows: readonly (readonly Element[])[], write: (cell: Element) => string): string[][] {
  let spare = SPARE_CELLS + rows.reduce((sum, cells) => sum + cells.length, 0)
  const coveredTo: number[] = [] // the last row that a cell from above covers, column by column
  return rows.map((cells, at) => {
    const row: string[] = []
    for (const cell of cells) {
      for (; spare > 0 && (coveredTo[row.length] ?? -1) >= at; spare -= 1) row.push('')
      const columns = Math.min(spanOf(cell, 'colspan'), spare + 1)
      const last = at + (spanOf(cell, 'rowspan') || rows.length) - 1
      const text = write(cell)
      for (let column = 0; column < columns; column += 1) {
        coveredTo[row.length] = last
        row.push(column === 0 ? text : '')
      }
      spare -= columns - 1
    }
    return row
  })
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attribute(cell, name) ?? '1', 10)
  return span >= 1
    ? Math.min(span, name === 'colspan' ? 1000 : 65_534)
    : name === 'rowspan' && span === 0
      ? 0
      : 1
}
