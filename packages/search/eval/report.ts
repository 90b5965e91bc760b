import type { Report } from './evaluate.ts'
import type { Gain, Measures } from './measures.ts'

/** The report as text for people. */
export function formatReport(report: Report, withFailures: boolean): string {
  const rows = Object.entries(report.classes).map(([name, measures]) => row(name, measures))
  const { build, serving, shown } = report
  return [
    ['class', 'n', 'S@1', 'S@5', 'MRR', 'nDCG@10', 'zero'].map(cell).join(''),
    ...rows,
    row('overall', report.overall),
    ...gainRows(report.gains),
    '',
    `build ${(build.tookMs / 1000).toFixed(1)} s (${build.added} of ${build.pages} pages read), index ${(build.bytes / 1e6).toFixed(1)} MB, at most ${report.peakMb.toFixed(0)} MB of memory`,
    `one edited page indexed again in ${(report.editMs / 1000).toFixed(2)} s (${(report.editCpuMs / 1000).toFixed(2)} s of processor time)`,
    `load ${serving.loadMs.toFixed(0)} ms, memory added ${serving.addedRssMb.toFixed(0)} MB, ` +
      `p50 ${serving.p50Ms.toFixed(1)} ms, p99 ${serving.p99Ms.toFixed(1)} ms, max ${serving.maxMs.toFixed(1)} ms; ` +
      `of processor time p50 ${serving.p50CpuMs.toFixed(1)} ms, p99 ${serving.p99CpuMs.toFixed(1)} ms`,
    `${shown.unmarkedSections} of ${shown.sections} shown sections and ${shown.unmarkedResults} of ${shown.results} results have no mark`,
    ...(withFailures ? ['', ...report.failures.map(failure)] : []),
  ].join('\n')
}

function row(name: string, { queries, s1, s5, mrr, ndcg10, zeroHits }: Measures): string {
  const shares = [s1, s5, mrr, ndcg10].map((share) => share.toFixed(3))
  return [name, String(queries), ...shares, String(zeroHits)].map(cell).join('')
}

/** A table of its own: alone, fused, and with three pages of the rewrites below the first five. */
function gainRows(gains: Report['gains']): readonly string[] {
  const rows = Object.entries(gains).map(([name, { queries, alone, fused, withBlock }]: [string, Gain]) => {
    const shares = [alone.s1, alone.s5, fused.s1, fused.s5, withBlock].map((share) => share.toFixed(3))
    return [name, String(queries), ...shares].map(cell).join('')
  })
  const header = ['with rewrites', 'n', 'S@1', 'S@5', 'fused @1', 'fused @5', '5 + 3'].map(cell).join('')
  return rows.length === 0 ? [] : ['', header, ...rows]
}

function cell(text: string, at: number): string {
  return at === 0 ? text.padEnd(32) : text.padStart(9)
}

function failure({ class: name, q, rank, found, wanted }: Report['failures'][number]): string {
  return `${name} ${JSON.stringify(q)} rank ${rank ?? '-'}\n    found  ${found.join('  ')}\n    wanted ${wanted.join('  ')}`
}
