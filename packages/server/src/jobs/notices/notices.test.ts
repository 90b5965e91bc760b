import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packRelease } from '@sekisho/release/packing'
import { createTestBuild, pageHtml, SITE, type TestBuild } from '@sekisho/release/testing'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPolicy } from '../../access/policy.ts'
import { createRecipients } from '../../access/recipients.ts'
import type { NoticeConfig } from '../../config/notice-settings.ts'
import { createReleaseChanges } from '../../endpoints/changes/release-changes.ts'
import { openReleases } from '../../releases/open-releases.ts'
import { createFindGaps } from '../../releases/search-gaps.ts'
import { openSqliteAcknowledgements } from '../../state/acknowledgements/index.ts'
import { createFeedbackFiles } from '../../state/feedback/index.ts'
import { createFileSearchLog } from '../../state/search-log/index.ts'
import { createNotices, type NoticesOptions } from './notices.ts'
import { sendWebhook } from './send-notice.ts'

const KEY = Buffer.from('k'.repeat(24))
const MINUTE_MS = 60_000
/** A Thursday; the week's digests are of Monday the 23rd. */
const THURSDAY = Date.parse('2026-11-26T03:00Z')

let cleanup: AsyncDisposableStack
let all: TestBuild
let ops: TestBuild
const clock = { nowMs: THURSDAY }
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  clock.nowMs = THURSDAY
  ;[all, ops] = [cleanup.use(await createTestBuild()), cleanup.use(await createTestBuild())]
})
afterEach(() => cleanup.disposeAsync())

/** A page of the owner, whose review is overdue since the first of October. */
const overdue = (title: string, owner: string, sentence: string) =>
  pageHtml(title)
    .replace(
      '<head>',
      `<head><meta name="sekisho-owner" content="${owner}"><meta name="sekisho-review" content="2026-10-01">`,
    )
    .replace('<body>', `<body><p>${sentence}</p>`)

async function publish(atMs: number, sentence: string): Promise<void> {
  await all.write('docs/guide/index.html', overdue('手引き', 'writer@example.co.jp', sentence))
  await ops.write('docs/guide/index.html', overdue('極秘の手引き', 'writer@example.co.jp', sentence))
  const pages = SITE.pages.map((page) =>
    page.path === '/docs/guide' ? { ...page, title: '極秘の手引き' } : page,
  )
  await ops.writeSite({ pages })
  const editions = [
    { name: 'operators', audiences: ['operators'], buildDir: ops.buildDir },
    { name: 'everyone', audiences: [], buildDir: all.buildDir },
  ]
  await packRelease({ editions, dataDir: all.dataDir, clock: () => atMs })
}

/** A receiver of webhooks on loopback. */
async function receiveWebhooks() {
  const received: { readonly headers: Record<string, unknown>; readonly body: string }[] = []
  let reply = (response: ServerResponse): unknown => response.writeHead(204).end()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    reply(response)
  }).listen(0, '127.0.0.1')
  cleanup.defer(() => void server.close())
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  const answer = (next: typeof reply) => {
    reply = next
  }
  return { received, url, answer }
}

/** A mail server on loopback. */
async function receiveMail() {
  const received: { readonly to: readonly string[]; readonly text: string }[] = []
  let isBroken = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        if (isBroken) return done(Object.assign(new Error('try later'), { responseCode: 451 }))
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  cleanup.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  await once(server.server, 'listening')
  const url = new URL(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`)
  const setBroken = (to: boolean) => {
    isBroken = to
  }
  return { received, url, setBroken }
}

/** Text of a mail, whose lines came encoded. */
const textOf = (mail: string): string => {
  const [head = '', ...body] = mail.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  return /base64/i.test(head) ? Buffer.from(text, 'base64').toString('utf8') : text
}
const messageIdOf = (mail: string) => /^Message-ID: (.*)$/im.exec(mail)?.[1]

async function openGate(config: Partial<NoticeConfig>, changes: Partial<NoticesOptions> = {}) {
  const { releasesDir, root } = all
  const releases = await openReleases({ releasesDir, checkEveryMs: 0 })
  const records = openSqliteAcknowledgements(join(root, 'records.db'))
  cleanup.defer(records.close)
  const policy = { ...readPolicy(['example.co.jp'], [], { operators: ['op@example.co.jp'] }).policy }
  const state = { policy, logged: [] as string[], sent: [] as string[] }
  const editions = async () =>
    (await releases.editions()).map((served) => ({
      ...served,
      search: () => ({ file: 'index', sha256: '' }),
    }))
  const recipients = createRecipients({
    ...{ policy: () => state.policy, releases: { editions } },
    sessions: { ofAccount: async () => [] },
  })
  const searchLog = createFileSearchLog(join(root, 'search'))
  const feedback = createFeedbackFiles(join(root, 'feedback'))
  const options: NoticesOptions = {
    config: { webhook: null, mail: null, privateHosts: new Set(['127.0.0.1']), everyDays: 7, ...config },
    ...{ origin: new URL('https://portal.test'), timeZone: 'Asia/Tokyo', now: () => clock.nowMs },
    ...{ releases: { editions }, releasesDir, recipients, changes: createReleaseChanges(releasesDir) },
    findGaps: createFindGaps({
      ...{ releases: { editions }, searchLog, now: () => clock.nowMs },
      searches: { run: async () => ({ pages: ['/docs/guide'] }) },
    }),
    ...{ notices: records.notices, acknowledgements: records },
    feedback,
    audit: { record: (event) => void state.sent.push(event) },
    log: (_level, event) => void state.logged.push(event),
    metrics: { countEvent() {} },
    ...changes,
  }
  return { ...createNotices(options), state, records, searchLog, feedback }
}
const webhookTo = (url: URL, groups: readonly string[] = []) => ({
  webhook: { url, format: 'json', key: KEY, groups: new Set(groups) } as const,
})
const mailTo = (url: URL) => ({ mail: { url, from: 'portal@example.co.jp', owners: new Map() } })

it('tells a channel once of a publication, signed, with the pages of its edition', async () => {
  await publish(THURSDAY - 3 * MINUTE_MS, '一')
  await publish(THURSDAY - 2 * MINUTE_MS, '二')
  const channel = await receiveWebhooks()
  const gates = [await openGate(webhookTo(channel.url)), await openGate(webhookTo(channel.url))]
  for (const gate of [...gates, ...gates]) await gate.run()
  const [publication] = channel.received.filter(({ body }) => JSON.parse(body).kind === 'publication')
  expect(channel.received).toHaveLength(2) // and the digest of the week
  const { body = '', headers = {} } = publication ?? {}
  expect(JSON.parse(body)).toMatchObject({
    url: 'https://portal.test/__gate/whats-new',
    sections: [{ items: [{ text: '更新: 手引き', url: 'https://portal.test/docs/guide' }] }],
  })
  expect(JSON.stringify(channel.received)).not.toContain('極秘')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`)
  expect(headers['webhook-timestamp']).toBe(String(THURSDAY / 1_000))
})

it('sends the same id again when a gate ended between sending and recording, and then no more', async () => {
  await publish(THURSDAY - MINUTE_MS, '一')
  const [channel, mail] = [await receiveWebhooks(), await receiveMail()]
  const config = { ...webhookTo(channel.url), ...mailTo(mail.url) }
  const { records } = await openGate(config)
  // Killed in that moment: whatever it would write down next never is.
  const notices = { ...records.notices, settle: () => new Promise<never>(() => {}) }
  const received = () => channel.received.length + mail.received.length
  for (let count = 1; count <= 3; count += 1) {
    const killed = await openGate(config, { notices })
    void killed.run()
    await expect.poll(received).toBe(count)
  }
  const survivors = [await openGate(config), await openGate(config)]
  for (const gate of survivors) await gate.run()
  expect(received()).toBe(3) // leased to the gates that ended
  clock.nowMs += 5 * MINUTE_MS
  await Promise.all(survivors.map((gate) => gate.run()))
  expect(received()).toBe(6)
  clock.nowMs += 60 * MINUTE_MS
  for (const gate of survivors) await gate.run()
  expect(received()).toBe(6)
  const ids = channel.received.map(({ headers }) => headers['idempotency-key'])
  expect([new Set(ids).size, ids.length]).toEqual([2, 4])
  expect(new Set(mail.received.map(({ text }) => messageIdOf(text))).size).toBe(1)
})

it('tells owners of their pages, and of searches, from the edition that they may read when it is sent', async () => {
  await publish(THURSDAY - MINUTE_MS, '一')
  const mail = await receiveMail()
  const gate = await openGate(mailTo(mail.url))
  const { searchLog, feedback } = gate
  for (let count = 0; count < 5; count += 1) {
    const failed = { hits: 0, reader: `2026-11-23 ${count}` }
    const repeated = { hits: 0, reader: '2026-11-23 one', edition: 'everyone' }
    await searchLog.append('2026-11-25', { q: '有給の申請', ...failed, edition: 'everyone' })
    await searchLog.append('2026-11-25', { q: '極秘計画', ...failed, edition: 'operators' })
    await searchLog.append('2026-11-25', { q: '版のない問い', ...failed })
    await searchLog.append('2026-11-25', { q: '一人で五回', ...repeated })
    await feedback.append('2026-11-25', { page: '/docs/guide', helpful: false, release: 'r' })
  }
  await gate.run()
  const text = textOf(mail.received[0]?.text ?? '')
  expect(mail.received.map(({ to }) => to)).toEqual([['writer@example.co.jp']])
  for (const part of ['手引き (期限 2026年10月1日)', '「有給の申請」5 回', '立たなかった 5'])
    expect(text).toContain(part)
  expect(text).not.toMatch(/極秘|一人で五回|版のない問い/)
  await gate.run()
  expect(mail.received).toHaveLength(1)
})

it('sends nothing to an address that the policy admits no more when it is sent', async () => {
  await publish(THURSDAY - MINUTE_MS, '一')
  const mail = await receiveMail()
  mail.setBroken(true)
  const gate = await openGate(mailTo(mail.url))
  await gate.run()
  expect(gate.state.logged).toEqual(['notice_failed'])
  mail.setBroken(false)
  gate.state.policy = readPolicy(['other.example'], []).policy
  clock.nowMs += 2 * MINUTE_MS
  await gate.run()
  expect([mail.received, gate.state.sent]).toEqual([[], []])
})

it('tells readers of changes in their folders, once a period, and tries again while the server refuses', async () => {
  await publish(THURSDAY - 20 * 86_400_000, '一')
  await publish(THURSDAY - 5 * 86_400_000, '二')
  const mail = await receiveMail()
  const gate = await openGate(mailTo(mail.url))
  const reader = { issuer: 'https://issuer.test', sub: 'a', email: 'reader@example.co.jp' }
  const before = THURSDAY - 10 * 86_400_000
  await gate.records.notices.putWatch({ ...reader, folders: ['/docs/'], atMs: before })
  await gate.records.notices.putWatch({ ...reader, sub: 'b', folders: ['/other/'], atMs: before })
  mail.setBroken(true)
  await gate.run()
  expect(mail.received).toEqual([])
  mail.setBroken(false)
  clock.nowMs += 2 * MINUTE_MS
  await gate.run()
  const own = mail.received.filter(({ to }) => to[0] === reader.email)
  expect(own).toHaveLength(1)
  expect(textOf(own[0]?.text ?? '')).toContain('更新: 手引き\n  https://portal.test/docs/guide')
})

it('follows no redirect, takes no private address unless named, and drops what is never taken', async () => {
  await publish(THURSDAY - MINUTE_MS, '一')
  const [channel, elsewhere] = [await receiveWebhooks(), await receiveWebhooks()]
  channel.answer((response) => response.writeHead(307, { Location: elsewhere.url.href }).end())
  const gate = await openGate(webhookTo(channel.url))
  for (let day = 0; day < 8; day += 1) {
    await gate.run()
    clock.nowMs += 43_200_000
  }
  expect(elsewhere.received).toEqual([])
  expect(gate.state.logged.filter((event) => event === 'notice_dropped').length).toBeGreaterThan(0)
  const message = { id: 'a', kind: 'test', title: 'a', url: 'https://portal.test/', sections: [] }
  const { webhook } = webhookTo(channel.url)
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254', '2130706433'])
    await expect(
      sendWebhook({ ...webhook, url: new URL(`https://${host}/`) }, message, new Set(), 0),
    ).rejects.toMatchObject({ code: 'private_address' })
})
