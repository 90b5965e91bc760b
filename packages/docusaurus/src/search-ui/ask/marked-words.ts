import type { FoundPage, MarkedRange } from '@sekisho/contract/search-answer'

/** The stretches of a result's texts that matched, each once, longest first. */
export function markedWords({ title, titleMarks, sections }: FoundPage): string[] {
  const texts: (readonly [text: string, marks: readonly MarkedRange[]])[] = [
    [title, titleMarks],
    ...sections.flatMap(({ heading, headingMarks, snippet }) => [
      [heading, headingMarks] as const,
      [snippet.text, snippet.marks] as const,
    ]),
  ]
  const words = texts.flatMap(([text, marks]) => marks.map(([start, end]) => text.slice(start, end).trim()))
  return [...new Set(words)].filter((word) => word !== '').sort((a, b) => b.length - a.length)
}
