import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isRecord } from '@sekisho/contract/json-shape'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ALL_OK } from '../../testing/health.ts'
import type { HealthReport } from './health.ts'
import { createMetrics } from './metrics.ts'

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url))
const DEPLOY = `${ROOT}/deploy/prometheus`
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8')

/** Every metric that a gate renders when nothing is missing, with the names of its labels. */
function renderedMetrics(): ReadonlyMap<string, ReadonlySet<string>> {
  const metrics = createMetrics()
  metrics.observeRequest(200, 1)
  metrics.observeStoreCall(1, false)
  metrics.countRefused(400)
  metrics.countEvent('signed_in')
  metrics.countRefusal('sign_in_refused', 'rejected')
  const report: HealthReport = {
    health: {
      status: 'ok',
      parts: ALL_OK,
    },
    ...{
      audit: { state: 'ok', waiting: 0, lagMs: 0, held: 0, restored: 0 },
      auditFailures: 0,
      droppedLogLines: 0,
    },
    ...{ sessions: 0, oldestProofMs: 0, release: { id: '20261122T000000Z-0a1b2c3d', ageSeconds: 0 } },
  }
  const resources = {
    version: '1.2.3',
    eventLoop: { p99Ms: 0, maxMs: 0 },
    disk: { freeBytes: 1, bytes: 1 },
    usage: { trailBytes: 1, connections: { busy: 0, idle: 0, waiting: 0 } },
    storeAgeMs: 0,
  }
  const found = new Map<string, Set<string>>([['up', new Set()]])
  for (const line of metrics.render(report, resources).split('\n')) {
    const [, name = '', labels = ''] = /^([a-z0-9_]+)(?:\{([^}]*)\})? /.exec(line) ?? []
    if (name === '') continue
    const known = found.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/([a-z]+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

const METRICS = renderedMetrics()
/** Labels that Prometheus gives to whatever it scrapes. */
const OF_PROMETHEUS = ['job', 'instance']

/** Metric names of an expression that no gate renders. */
function unknownIn(expr: string): readonly string[] {
  const selectors = expr.matchAll(/\b(up|sekisho_[a-z0-9_]+|process_[a-z0-9_]+)(?:\{([^}]*)\})?/g)
  return [...selectors].flatMap(([, name = '', matchers = '']) => {
    const labels = METRICS.get(name)
    if (labels === undefined) return [name]
    const named = [...matchers.matchAll(/([a-z]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    return named
      .filter((label) => !labels.has(label) && !OF_PROMETHEUS.includes(label))
      .map((label) => `${name}{${label}}`)
  })
}

/** Every value under a key, wherever it stands. */
function findAll(tree: unknown, key: string): readonly unknown[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => findAll(item, key))
  if (!isRecord(tree)) return []
  return [...(key in tree ? [tree[key]] : []), ...Object.values(tree).flatMap((value) => findAll(value, key))]
}

const rules = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: unknown[] }) => group.rules,
) as {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}[]
const tests = parse(read('deploy/prometheus/alerts.test.yaml')).tests as {
  readonly alert_rule_test: { readonly alertname: string; readonly exp_alerts: unknown[] }[]
}[]

describe('deploy/prometheus', () => {
  it.each(rules)('$alert asks what a gate tells, leads to the handbook, and is tried both ways', (rule) => {
    expect(unknownIn(rule.expr)).toEqual([])
    const [, page = '', anchor = ''] = /\/docs\/(.+)#(.+)$/.exec(rule.annotations.runbook_url) ?? []
    const section = new RegExp(`^## .* \\{#${anchor}\\}\\n\\nアラート: (.*)$`, 'm').exec(
      read(`site/docs/${page}.md`),
    )
    expect(section?.[1]).toContain(`\`${rule.alert}\``)
    expect(read('site/docs/sekisho-pro/english/alerts.md')).toMatch(
      new RegExp(`^\\| .*\`${rule.alert}\``, 'm'),
    )
    const tried = tests
      .flatMap((one) => one.alert_rule_test)
      .filter(({ alertname }) => alertname === rule.alert)
    expect(tried.map(({ exp_alerts: expected }) => expected.length > 0).sort()).toEqual([false, true])
  })

  it('events and parts that rules name are those that the code says', () => {
    const sources = globSync('packages/server/src/**/*.ts', {
      cwd: ROOT,
    })
      .filter((file) => !file.endsWith('.test.ts'))
      .map(read)
      .join('\n')
    const named = rules.flatMap(({ expr }) => [
      ...expr.matchAll(/(?:event|part|state)(?:=~|!=|=)"([a-z_|]+)"/g),
    ])
    const values = named.flatMap(([, value = '']) => value.split('|'))
    expect(values.length).toBeGreaterThan(5)
    expect(values.filter((value) => !new RegExp(`'${value}'|\\b${value}:`).test(sources))).toEqual([])
  })

  it('every expression of the board asks what a gate tells', () => {
    const board: unknown = JSON.parse(read('deploy/prometheus/grafana.json'))
    const expressions = [...findAll(board, 'expr'), ...findAll(board, 'query')].map(String)
    expect(expressions.length).toBeGreaterThan(20)
    expect(expressions.flatMap(unknownIn)).toEqual([])
  })

  it('a name that no gate renders, and a label that it lacks, are found', () => {
    expect(unknownIn('rate(sekisho_nonsense_total[5m]) > sekisho_sessions{part="audit"}')).toEqual([
      'sekisho_nonsense_total',
      'sekisho_sessions{part}',
    ])
  })

  it.runIf(hasPromtool())('promtool takes the rules, and hears each alert where it should', () => {
    const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: DEPLOY, encoding: 'utf8' })
    expect(promtool('check', 'rules', 'alerts.yaml')).toContain(`${rules.length} rules found`)
    expect(promtool('check', 'config', 'prometheus.yaml')).toContain('SUCCESS')
    expect(promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS')
  })
})

/** It comes with Prometheus; where it is missing, that part is skipped. */
function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
