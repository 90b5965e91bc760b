import './support/assert-node.mjs'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { build, SEKISHO } from './build.mjs'
import { step } from './support/console.mjs'
import { prepare } from './support/prepare.mjs'
import { run } from './support/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts)
/** `npm test` leaves out what takes minutes; `npm run test:long` runs that alone. */
const isLong = process.argv.includes('--long')
let passed = 0
/** Failed steps with their first lines: a log of thousands of lines is read from its end. */
const failures = []
/** In the same form, tests that failed and then passed; in CI each has a second try. */
const retried = []

const node = await prepare()
const reports = mkdtempSync(path.join(tmpdir(), 'sekisho-test-'))
const STATIC_CHECKS = [
  ['Format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['ci', '--error-on-warnings', '.']],
  ['Types of the server side', bin('typescript', 'bin', 'tsc'), ['-p', 'tsconfig.json']],
  ['Types of the browser side', bin('typescript', 'bin', 'tsc'), ['-p', 'tsconfig.react.json']],
]
// A build keeps one core busy.
const beside = checkOneByOne(isLong ? [] : STATIC_CHECKS)
await build(node)
await beside
const projects = isLong ? ['long'] : ['unit', 'postgres']
await suite('Unit tests', 'unit.json', readVitestReport, (report) => [
  bin('vitest', 'vitest.mjs'),
  [
    ...['run', ...projects.flatMap((name) => ['--project', name])],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ],
])
if (isLong) await check('The gate gives nothing of the release away', SEKISHO, ['verify'])
await suite('Browser tests', 'browser.json', readPlaywrightReport, (report) => [
  bin('@playwright', 'test', 'cli.js'),
  [
    ...['test', '--config', path.join(ROOT, 'e2e', 'playwright.config.ts'), '--reporter=list,json'],
    ...[isLong ? '--grep' : '--grep-invert', '@long'],
  ],
  { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
])
rmSync(reports, { recursive: true, force: true })
if (retried.length > 0) step('Passed at the second try')
for (const failure of [...retried, ...failures]) process.stdout.write(`\n${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** A check without cases of its own counts as one test. */
async function check(title, script, args) {
  step(title)
  count(title, await run(node, [script, ...args], { cwd: ROOT, env: environment({}) }))
}

/** Checks beside something else that writes to the terminal: each says all it has to say when it has ended. */
async function checkOneByOne(checks) {
  for (const [title, script, args] of checks) {
    const file = path.join(reports, 'check.txt')
    const output = openSync(file, 'w')
    const stdio = ['ignore', output, output]
    const code = await run(node, [script, ...args], { cwd: ROOT, env: environment({}), stdio })
    closeSync(output)
    step(title)
    process.stdout.write(readFileSync(file))
    count(title, code)
  }
}

function count(title, code) {
  if (code === 0) passed += 1
  else failures.push(`✖ ${title}`)
}

/** A runner that wrote no report, or that failed without naming a failed test, counts as one failure. */
async function suite(title, name, readReport, plan) {
  step(title)
  const report = path.join(reports, name)
  const [script, args, variables = {}] = plan(report)
  const code = await run(node, [script, ...args], { cwd: ROOT, env: environment(variables) })
  const result = readReport(readJson(report) ?? {})
  const isUnnamed = result.failures.length === 0 && (code !== 0 || result.passed === 0)
  passed += result.passed
  retried.push(...result.retried)
  failures.push(...(isUnnamed ? [`✖ ${title} (exit ${code})`] : result.failures))
}

/**
 * The pinned Node comes first on PATH, so that every program a test starts is run by it too. Threads of a product inside
 * a test compile their code once for all tests: without the cache that was most of what tests of stores computed.
 */
function environment(variables) {
  return {
    NODE_COMPILE_CACHE: bin('.cache', 'compile'),
    ...process.env,
    ...variables,
    PATH: path.dirname(node) + path.delimiter + process.env.PATH,
  }
}

function readVitestReport({ numPassedTests = 0, testResults = [] }) {
  const failuresOf = (ended) =>
    testResults.flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(
        ({ status, failureMessages }) =>
          status === ended && (ended === 'failed' || failureMessages.length > 0),
      )
      const relative = path.relative(ROOT, name)
      if (ended === 'failed' && tests.length === 0 && message !== '') return [describe(relative, '', message)]
      return tests.map(({ fullName, failureMessages }) => describe(relative, fullName, failureMessages[0]))
    })
  return { passed: numPassedTests, failures: failuresOf('failed'), retried: failuresOf('passed') }
}

function readPlaywrightReport({ stats = { expected: 0, flaky: 0 }, suites = [] }) {
  const failuresOf = (isOk) =>
    specsOf(suites)
      .filter((spec) => spec.ok === isOk && !(isOk && messageOf(spec) === undefined))
      .map((spec) => describe(path.join('e2e', spec.file), spec.title, messageOf(spec)))
  return { passed: stats.expected + stats.flaky, failures: failuresOf(false), retried: failuresOf(true) }
}

function specsOf(suites) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites ?? [])])
}

function messageOf(spec) {
  const results = spec.tests.flatMap((test) => test.results)
  return results.map((result) => result.error?.message).find((message) => message !== undefined)
}

/** A failed test in a few lines. */
function describe(file, title, message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n')
  return [`✖ ${file} › ${title}`, ...lines.slice(0, 8).map((line) => `    ${line}`)].join('\n')
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
