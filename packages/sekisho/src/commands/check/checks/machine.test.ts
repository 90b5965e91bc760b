import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolderAt, lockDataFolder, makeDataFolder } from '@sekisho/server/data-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkDisk } from './disk.ts'
import { checkMachine } from './machine.ts'
import { findReadableSecrets } from './readable-secrets.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sekisho-look-'))
})

const codesOf = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code)
const isLinux = process.platform === 'linux'

async function listen() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.dispose]: () => void server.close() }
}

describe('the machine', () => {
  it('has room for a gate', async () => {
    const ports = [{ setting: 'SEKISHO_PORT', host: '127.0.0.1', port: 0 }]
    expect(await checkMachine(dataFolderAt(join(root, 'new/data')), ports)).toEqual({
      facts: [],
      findings: [],
    })
  })

  it('says which process has the port', async () => {
    using taken = await listen()
    const ports = [{ setting: 'SEKISHO_METRICS_PORT', host: '127.0.0.1', port: taken.port }]
    const { findings } = await checkMachine(dataFolderAt(root), ports)
    expect(findings.map((one) => one.in('en'))).toEqual([
      expect.stringContaining(`port ${taken.port} (SEKISHO_METRICS_PORT) is in use`),
    ])
    if (isLinux) expect(findings[0]?.in('ja')).toContain(`プロセス ${process.pid}`)
  })

  it.each(['not_a_host', '192.0.2.1'])('says that %s is no address of it', async (host) => {
    const look = await checkMachine(dataFolderAt(root), [{ setting: 'SEKISHO_PORT', host, port: 0 }])
    expect(codesOf(look)).toEqual(['host_unknown'])
  })

  it.runIf(isLinux)('tells the gate that runs already from another one on the same folder', async () => {
    const folder = dataFolderAt(root)
    makeDataFolder(folder)
    using _lock = lockDataFolder(folder)
    using own = await listen()
    const at = (port: number) => [{ setting: 'SEKISHO_PORT', host: '127.0.0.1', port }]
    const running = await checkMachine(folder, at(own.port))
    expect([codesOf(running), running.facts.map(({ code }) => code)]).toEqual([[], ['saw_running']])
    expect(codesOf(await checkMachine(folder, at(0)))).toEqual(['data_folder_taken'])
  })

  it('says that a file stands where the data folder should be', async () => {
    writeFileSync(join(root, 'file'), '')
    expect(codesOf(await checkMachine(dataFolderAt(join(root, 'file')), []))).toEqual([
      'data_folder_unusable',
    ])
  })
})

describe('files with secrets', () => {
  it.each([
    [0o400, []],
    [0o440, []],
    [0o644, ['file_readable']],
    [0o402, ['file_readable']],
  ])('mode %o: %j', (mode, codes) => {
    const file = join(root, 'secret')
    writeFileSync(file, 'x')
    chmodSync(file, mode)
    const env = { SEKISHO_SECRET_FILE: ` ${file}`, SEKISHO_POLICY_FILE: file }
    expect(findReadableSecrets(env, dataFolderAt(root)).map(({ code }) => code)).toEqual(codes)
  })

  it('the key of the audit trail is one', () => {
    writeFileSync(join(root, 'audit-key.pem'), '', { mode: 0o644 })
    expect(findReadableSecrets({}, dataFolderAt(root))[0]?.in('en')).toContain('chmod 0400')
  })
})

describe('the disk', () => {
  const YEAR_MS = 365 * 86_400_000

  it.each([
    [0.5e9, YEAR_MS, ['disk_almost_full', 'disk_small']],
    [2e9, YEAR_MS, ['disk_small']],
    [2e9, 86_400_000, []],
    [2e9, null, []],
    [10e9, YEAR_MS, []],
  ])('with %d bytes free and a trail of 10 MB a day kept for %s ms: %j', (free, auditKeepMs, codes) => {
    const folder = dataFolderAt(root)
    mkdirSync(folder.audit.lines)
    writeFileSync(join(folder.audit.lines, 'gate-000001.jsonl'), Buffer.alloc(10_000_000))
    const look = checkDisk({ folder, auditKeepMs, nowMs: Date.now(), freeBytesOf: () => free })
    expect(codesOf(look)).toEqual(codes)
  })
})
