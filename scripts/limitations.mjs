import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Lists stated limitations whose words have stood unchanged for 90 days: npm run limitations [-- --days 90]
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DAY_MS = 86_400_000

const { values } = parseArgs({ options: { days: { type: 'string', default: '90' } } })
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 27 })
const old = ['docs/assurance.md', 'SECURITY.md', ...globSync('decisions/[0-9]*.md', { cwd: ROOT })]
  .flatMap((file) => findLimitations(file, readFileSync(`${ROOT}/${file}`, 'utf8').split('\n')))
  .map((one) => ({ ...one, atMs: lastChange(one) }))
  .filter(({ atMs }) => Date.now() - atMs >= Number(values.days) * DAY_MS)
for (const { file, first, atMs, text } of old.sort((a, b) => a.atMs - b.atMs))
  process.stdout.write(`${new Date(atMs).toISOString().slice(0, 10)}  ${file}:${first}  ${text}\n`)
process.stdout.write(`${old.length} limitations were last stated ${values.days} days ago or earlier\n`)

/** Points below "Out of scope", and paragraphs that begin with it or with "Limits", each with its lines. */
function findLimitations(file, lines) {
  const found = []
  let inScope = false
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) inScope = line === '## Out of scope'
    const isPoint = inScope && line.startsWith('- ')
    if (!isPoint && !/^(?:\*\*Limits\.\*\*|Out of scope: )/.test(line)) continue
    const isOver = (next) => !next.startsWith(isPoint ? '  ' : '') || next === ''
    const after = lines.slice(index + 1).findIndex(isOver)
    const last = after < 0 ? lines.length : index + 1 + after
    found.push({ file, first: index + 1, last, text: line.replaceAll('**', '').slice(0, 100) })
  }
  return found
}

function lastChange({ file, first, last }) {
  const blame = git('blame', '--line-porcelain', `-L${first},${last}`, '--', file)
  return Math.max(...[...blame.matchAll(/^committer-time (\d+)$/gm)].map(([, at]) => Number(at) * 1_000))
}
