import { EVERYDAY } from '../../query-constants.ts'
import { hasJapanese } from '../../text/characters.ts'
import { subjectOf } from '../../text/terms.ts'
import { createMatchers, type Matcher } from '../rank/matcher.ts'
import { japaneseAlternative, namesAlternative } from '../read/terms/alternative.ts'
import type { Meant } from '../read/words/subjects.ts'

/** Matchers for a query's likely subjects, shown for pages without any word of the query. */
export function meantMatchers(meant: readonly Meant[]): Matcher[] {
  const sure = meant.filter(({ weight }) => weight >= EVERYDAY.shown)
  const groups = sure.map(({ term, weight }) => {
    const name = subjectOf(term)
    const written = hasJapanese(name)
      ? japaneseAlternative(name, 1)
      : namesAlternative(name.split(/[^\p{L}\p{N}]+/u).filter(Boolean), 1, 'word')
    const alternatives = [{ ...written, isSynonym: true as const }]
    return { label: name, alternatives, parts: [], optional: false, pages: 1, weight }
  })
  return createMatchers(groups, 1)
}
