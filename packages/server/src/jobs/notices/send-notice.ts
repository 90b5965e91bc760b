import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { MailConfig, NoticeConfig, WebhookConfig } from '../../config/notice-settings.ts'
import { isPublicAddress, lookupOf, resolveAll } from '../../kernel/client/public-address.ts'
import { mailText, type NoticeMessage, webhookBody } from './notice-message.ts'

/** Reason of a failed attempt; nothing that was sent or received is in it. */
type NoticeFailure = 'not_made' | 'unreachable' | 'private_address' | 'refused' | 'too_slow'

export class NoticeError extends Error {
  override readonly name = 'NoticeError'
  readonly code: NoticeFailure
  /** Status of the receiver's response; null without one. */
  readonly status: number | null

  constructor(code: NoticeFailure, status: number | null = null) {
    super(status === null ? code : `${code}: ${status}`)
    this.code = code
    this.status = status
  }
}

/** Time for one attempt, from the lookup of the host to the receiver's response. */
const SEND_MS = 30_000

type PrivateHosts = NoticeConfig['privateHosts']

/** Checked address of a host; null for one that the operator named as private, which the system looks up itself. */
async function findAddress(host: string, privateHosts: PrivateHosts): Promise<string | null> {
  if (privateHosts.has(host)) return null
  const literal = host.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) === 0 ? await resolveAll(host) : [literal]
  const [address] = addresses
  if (address === undefined) throw new NoticeError('unreachable')
  if (!addresses.every(isPublicAddress)) throw new NoticeError('private_address')
  return address
}

/** Limits work to {@link SEND_MS}; every other fault means that the receiver was not reached. */
async function within<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(SEND_MS)
  const late = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => late.reject(new NoticeError('too_slow')))
  try {
    return await Promise.race([run(signal), late.promise])
  } catch (error) {
    throw error instanceof NoticeError ? error : new NoticeError('unreachable')
  }
}

/**
 * Posts a message, signed as Standard Webhooks have it: HMAC-SHA256 of id, time and body. Follows no redirect and reads no response body.
 * Throws {@link NoticeError} unless the receiver answers with 2xx.
 */
export function sendWebhook(
  { url, format, key }: WebhookConfig,
  message: NoticeMessage,
  privateHosts: PrivateHosts,
  nowMs: number,
): Promise<void> {
  const body = webhookBody(message, format)
  const at = String(Math.floor(nowMs / 1_000))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': message.id,
    'webhook-id': message.id,
    'webhook-timestamp': at,
    ...(key !== null && {
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${message.id}.${at}.${body}`).digest('base64')}`,
    }),
  }
  return within(async (signal) => {
    const address = await findAddress(url.hostname, privateHosts)
    const pinned = address === null ? {} : { agent: false as const, lookup: lookupOf(address) }
    const status = await new Promise<number>((resolve, reject) => {
      const request = url.protocol === 'http:' ? httpRequest : httpsRequest
      const asked = request(url, { method: 'POST', headers, signal, ...pinned })
      asked.on('error', reject)
      asked.on('response', (response) => {
        resolve(response.statusCode ?? 0)
        asked.destroy()
      })
      asked.end(body)
    })
    if (status < 200 || status > 299) throw new NoticeError('refused', status)
  })
}

/** Hands a message to the mail server, under a Message-ID of its own for ever. Throws {@link NoticeError} unless it is taken. */
export function sendMail(
  { url, from }: MailConfig,
  to: string,
  message: NoticeMessage,
  privateHosts: PrivateHosts,
): Promise<void> {
  return within(async (signal) => {
    const { createTransport } = await import('nodemailer') // read by those who send mail
    const address = await findAddress(url.hostname, privateHosts)
    const isTls = url.protocol === 'smtps:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const transport = createTransport({
      host: address ?? host,
      servername: host,
      port: Number(url.port) || (isTls ? 465 : 587),
      secure: isTls,
      requireTLS: !isTls && !privateHosts.has(url.hostname),
      ...(url.username !== '' && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      connectionTimeout: SEND_MS,
      greetingTimeout: SEND_MS,
      socketTimeout: SEND_MS,
      maxResponseSize: 16_384,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const close = () => transport.close()
    signal.addEventListener('abort', close)
    const portal = new URL(message.url)
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject: message.title,
        text: mailText(message),
        textEncoding: 'base64',
        messageId: `<${message.id}@${portal.hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : null
      throw status === null ? error : new NoticeError('refused', status)
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  })
}
