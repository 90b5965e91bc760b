import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openPreviewStore, readPointer } from '@sekisho/release'
import { packRelease } from '@sekisho/release/packing'
import { writeFiles } from '@sekisho/release/testing'
import { dataFolderAt } from '@sekisho/server/data-folder'
import { createTestIssuer } from '@sekisho/server/identity/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { installCommand, workflowFile } from '../../src/authoring/init/files.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { SEKISHO, type ServingGate, startServingGate } from '../support/serving-gate.ts'

const HANDBOOK = fileURLToPath(new URL('../../../../site/docs/sekisho-pro/publishing.md', import.meta.url))
const MINUTE_MS = 60_000

/** Stands where Docusaurus would be installed; what it builds lies beside it. */
const BUILDER = `
import { cpSync } from 'node:fs'
cpSync(new URL('../prepared', import.meta.url), process.argv[3] + '/build', { recursive: true })
`

const run = promisify(execFile)
const cleanup = new AsyncDisposableStack()
let root: string
let issuer: Awaited<ReturnType<typeof startIssuer>>
let gate: ServingGate
let dataDir: string
let first: string
/** Folder in which the first job has installed, built and verified the site. */
let folder: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sekisho-recipes-'))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
  issuer = await startIssuer()
  cleanup.defer(() => issuer.close())
  await writePackages(join(root, 'packages'))
}, MINUTE_MS)
afterAll(() => cleanup.disposeAsync())

beforeEach(async () => {
  dataDir = join(root, 'data')
  await rm(dataDir, { recursive: true, force: true })
  const rules = ['repository_id', 'project_id'].flatMap((claim) => [
    { issuer: issuer.url, [claim]: '4711', ref: 'refs/heads/main', may: ['publish'] },
    { issuer: issuer.url, [claim]: '4711', ref: 'refs/heads/*', may: ['preview'] },
  ])
  const file = join(root, 'rules.json')
  await writeFile(file, JSON.stringify({ rules }))
  const buildDir = join(root, 'packages', 'docusaurus', 'prepared')
  first = (await packRelease({ buildDir, dataDir, clock: () => Date.UTC(2026, 0, 1) })).id
  gate = await startServingGate({ dataDir, isLocal: true, env: { SEKISHO_PUBLISH_RULES_FILE: file } })
  return () => gate[Symbol.asyncDispose]()
}, MINUTE_MS)

it(
  'GitHub Actions: the workflow of init, which the handbook shows, publishes main, and previews a branch',
  async () => {
    const text = await workflowFile('/repository', '/repository', installCommand('package-lock.json'))
    expect(await readRecipe('.github/workflows/documentation.yml')).toBe(`\n${text}`)
    const workflow = parse(text)
    const said = await runGithub(workflow, 'refs/heads/main')
    folder = said.folder
    expect(await readPointer(dataFolderAt(dataDir).releases)).not.toBe(first)
    expect(said.comments).toEqual([])

    const preview = await runGithub(workflow, 'refs/heads/docs/鍵', folder)
    const [one] = await openPreviewStore({ folder: dataDir }).list()
    expect(one).toMatchObject({ name: expect.stringMatching(/^docs-[0-9a-f]{6}$/), branch: 'docs/鍵' })
    expect(preview.comments).toEqual([
      expect.stringContaining(`Preview: http://${one?.name}--portal.localhost:`),
    ])
  },
  5 * MINUTE_MS,
)

it(
  'GitLab CI: the recipe of the handbook publishes main, previews a branch, and is refused from a merge request',
  async () => {
    const { documentation } = parse(await readRecipe('.gitlab-ci.yml'))
    const publishing = documentation.script.slice(-1)
    const { steps } = parse(await readRecipe('.github/workflows/documentation.yml')).jobs.release
    // Installing, building and proving are GitHub's, and were run there.
    expect(documentation.script.slice(0, -1)).toEqual(
      steps
        .filter((step: Step) => step.run !== undefined && step.if === undefined)
        .map(({ run }: Step) => run),
    )
    expect(documentation.id_tokens.SEKISHO_ID_TOKEN.aud).toBe('$SEKISHO_TO')
    expect(await runGitlab(publishing, 'main', { folder })).toBe(`address=http://localhost:${gate.port}\n`)
    expect(await readPointer(dataFolderAt(dataDir).releases)).not.toBe(first)
    expect(await runGitlab(publishing, 'topic', { folder })).toMatch(
      /^address=http:\/\/topic--portal\.localhost:/,
    )
    await expect(
      runGitlab(publishing, 'topic', { folder, claims: { pipeline_source: 'merge_request_event' } }),
    ).rejects.toThrow('does not accept these credentials')
  },
  5 * MINUTE_MS,
)

/** The block of the handbook with that title. */
async function readRecipe(title: string): Promise<string> {
  const text = await readFile(HANDBOOK, 'utf8')
  const begin = text.indexOf(`\`\`\`yaml title="${title}"\n`)
  const [, block] = text.slice(begin).split(/^```.*$/m)
  if (begin < 0 || block === undefined) throw new Error(`the handbook has no recipe ${title}`)
  return block
}

interface Step {
  readonly run?: string
  readonly if?: string
  readonly id?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs every `run:` of the job in a clean folder, as GitHub's runner does; what it needs of expressions, and no more. */
async function runGithub(
  workflow: { env: Record<string, string>; jobs: { release: { steps: readonly Step[] } } },
  ref: string,
  built?: string,
) {
  const folder = built ?? (await checkOut())
  const outputs: Record<string, string> = {}
  const comments = join(root, 'comments')
  await rm(comments, { force: true })
  const context: Record<string, () => string> = {
    'vars.SEKISHO_TO': () => `http://localhost:${gate.port}`,
    'github.event_name': () => 'push',
    'github.ref': () => ref,
    'github.token': () => 'token',
    'env.SEKISHO_TO': () => `http://localhost:${gate.port}`,
    'steps.preview.outputs.address': () => outputs.address ?? '',
  }
  const fill = (text: string) =>
    text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
      if (context[name] === undefined) throw new Error(`the recipe names ${name}`)
      return context[name]()
    })
  const base = {
    ...fillAll(workflow.env, fill),
    GITHUB_REF_NAME: ref.replace('refs/heads/', ''),
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_OUTPUT: join(folder, 'output'),
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: `for ${encodeURIComponent(ref)}`,
    COMMENTS: comments,
  }
  for (const step of workflow.jobs.release.steps) {
    const isDone = built !== undefined && step.if === undefined // installing, building and proving
    if (step.run === undefined || isDone || !holds(step.if, context)) continue
    await runStep(step.run, folder, { ...base, ...fillAll(step.env ?? {}, fill) })
    if (step.id !== undefined)
      outputs.address = /^address=(.*)$/m.exec(await readFile(base.GITHUB_OUTPUT, 'utf8'))?.[1] ?? ''
  }
  return { folder, comments: (await readFile(comments, 'utf8').catch(() => '')).split('\n').filter(Boolean) }
}

const fillAll = (table: Readonly<Record<string, string>>, fill: (text: string) => string) =>
  Object.fromEntries(Object.entries(table).map(([name, text]) => [name, fill(text)]))

/** Conditions joined by `&&`: comparisons with a text, and the beginning of a ref. */
function holds(condition: string | undefined, context: Readonly<Record<string, () => string>>): boolean {
  return (condition ?? '')
    .split(' && ')
    .filter(Boolean)
    .every((one) => {
      const [, started, beginning = ''] = /^startsWith\(([\w.]+), '([^']*)'\)$/.exec(one) ?? []
      if (started !== undefined) return context[started]?.().startsWith(beginning) === true
      const [, name = '', operator, value] = /^([\w.]+) (==|!=) '([^']*)'$/.exec(one) ?? []
      if (context[name] === undefined) throw new Error(`the recipe asks whether ${one}`)
      return (context[name]() === value) === (operator === '==')
    })
}

async function runGitlab(
  script: readonly string[],
  branch: string,
  { folder, claims }: { readonly folder: string; readonly claims?: Record<string, unknown> },
) {
  const origin = `http://localhost:${gate.port}`
  const token = await issuer.sign({
    ...{ aud: origin, project_id: '4711', project_path: 'example/docs', ref: branch, ref_type: 'branch' },
    ...{ ref_path: `refs/heads/${branch}`, pipeline_source: 'push', ...claims },
  })
  const env = {
    ...{ SEKISHO_TO: origin, SEKISHO_ID_TOKEN: token, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: 'main' },
    ...{ CI_COMMIT_REF_NAME: branch, CI_COMMIT_SHA: 'b'.repeat(40) },
  }
  await rm(join(folder, 'publish.env'), { force: true })
  await runStep(script.join('\n'), folder, env)
  return readFile(join(folder, 'publish.env'), 'utf8')
}

async function runStep(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { HOME, TMPDIR, PATH } = process.env
  const path = `${join(root, 'packages', 'bin')}:${dirname(process.execPath)}:${PATH}`
  await run('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: {
      HOME,
      TMPDIR,
      PATH: path,
      npm_config_cache: join(root, 'npm-cache'),
      npm_config_offline: 'true',
      ...env,
    },
    maxBuffer: 1e8,
  })
}

let checkedOut = 0

/** A clean clone of a repository with a site in it. */
async function checkOut(): Promise<string> {
  checkedOut += 1
  const folder = join(root, 'packages', `clone-${checkedOut}`) // beside them, as the lock file says
  await cp(join(root, 'packages', 'site'), folder, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'site')
  return folder
}

/** The site, and the packages it installs: the command of this repository, and what stands for Docusaurus. */
async function writePackages(folder: string): Promise<void> {
  const write = async (name: string, text: string) => writeFiles(folder, { [name]: text })
  await write('sekisho/package.json', '{"name":"sekisho","version":"1.0.0","bin":{"sekisho":"sekisho.mjs"}}')
  await write('sekisho/sekisho.mjs', `#!/usr/bin/env node\nimport ${JSON.stringify(SEKISHO)}\n`)
  await write('docusaurus/package.json', '{"name":"@docusaurus/core","version":"3.10.0"}')
  await write('docusaurus/bin/docusaurus.mjs', BUILDER)
  await writeFixtureSite(join(folder, 'docusaurus', 'prepared'))
  const dependencies = { '@docusaurus/core': `file:${folder}/docusaurus`, sekisho: `file:${folder}/sekisho` }
  await write('site/package.json', JSON.stringify({ name: 'site', private: true, dependencies }))
  await write('site/docusaurus.config.js', 'export default {}\n')
  await write('site/.gitignore', 'node_modules/\n.sekisho/\nbuild/\n')
  await write('bin/gh', '#!/bin/sh\nif [ "$2" = list ]; then echo 7; else echo "$@" >> "$COMMENTS"; fi\n')
  await chmod(join(folder, 'bin/gh'), 0o755)
  const npm = ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', npm, { cwd: join(folder, 'site') })
}

/** An issuer that gives jobs ID tokens as GitHub Actions does, and publishes its keys as GitHub and GitLab do. */
async function startIssuer() {
  const keys = await createTestIssuer(Date.now)
  let jobs = 0
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '/', url)
    const ref = decodeURIComponent(request.headers.authorization?.replace(/^Bearer for /, '') ?? '')
    const token = () =>
      sign({
        ...{ aud: asked.searchParams.get('audience'), ref, event_name: 'push' },
        ...{ repository: 'example/docs', repository_id: '4711' },
      })
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({ issuer: url, jwks_uri: `${url}/keys` }),
      '/keys': () => keys.jwks,
      '/token': async () => ({ value: await token() }),
    }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(await answers[asked.pathname]?.()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  function sign(claims: Record<string, unknown>): Promise<string> {
    jobs += 1
    const seconds = Math.floor(Date.now() / 1_000)
    return keys.sign({
      iss: url,
      sub: 'job',
      jti: `job ${jobs}`,
      iat: seconds,
      exp: seconds + 300,
      ...claims,
    })
  }
  return {
    url,
    sign,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
