import { hash, randomUUID } from 'node:crypto'
import type { Language } from '@sekisho/contract/language'
import type { WebhookConfig } from '../../config/notice-settings.ts'
import { TEXTS } from '../../texts/index.ts'

/** A line of a notice; all of it may come from releases and readers. */
interface NoticeItem {
  readonly text: string
  /** Page of the portal. */
  readonly url?: string
}

/** Content of a notice for one recipient. */
export interface NoticeMessage {
  /** Identifies the notice to receivers, however often it is sent. */
  readonly id: string
  readonly kind: string
  readonly title: string
  /** Page of the portal that says more. */
  readonly url: string
  readonly sections: readonly { readonly heading: string; readonly items: readonly NoticeItem[] }[]
}

/** Identifier of a notice, by its key and the portal. */
export const noticeId = (origin: URL, key: string): string =>
  hash('sha256', `${origin.origin} ${key}`).slice(0, 32)

const MAX_CHARS = 200

/** Text of one line: nothing in it begins another one, or turns writing round. */
export function plainLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim()
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).toWellFormed()}…` : line
}

/** A message without any page, for operators who try their settings. */
export function createTestMessage(origin: URL, site: string, lang: Language): NoticeMessage {
  const title = plainLine(TEXTS[lang].notices.test(site))
  return { id: noticeId(origin, randomUUID()), kind: 'test', title, url: origin.href, sections: [] }
}

/** The message as the body of a mail. */
export const mailText = ({ title, url, sections }: NoticeMessage): string =>
  [
    `${title}\n${url}`,
    ...sections.map(({ heading, items }) => `■ ${heading}\n${items.map(itemText).join('\n')}`),
  ].join('\n\n')

const itemText = ({ text, url }: NoticeItem): string => `- ${text}${url === undefined ? '' : `\n  ${url}`}`

/** Bytes that receivers take: Teams has 28 KB for a message, and Slack 40,000 characters. */
const MAX_BYTES = { json: 262_144, slack: 30_000, teams: 25_000 } as const

/** The message as JSON in the format of a receiver, without its last sections where it would be too long. */
export function webhookBody(message: NoticeMessage, format: WebhookConfig['format']): string {
  const body = bodyOf(message, format)
  const { sections } = message
  if (Buffer.byteLength(body) <= MAX_BYTES[format] || sections.length === 0) return body
  return webhookBody({ ...message, sections: sections.slice(0, -1) }, format)
}

function bodyOf(message: NoticeMessage, format: WebhookConfig['format']): string {
  if (format === 'slack') return JSON.stringify({ text: slackText(message), unfurl_links: false })
  return JSON.stringify(format === 'teams' ? teamsMessage(message) : message)
}

/** Slack's own escapes; everything else is shown as it is, or as emphasis at most. */
const slack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const slackLink = ({ text, url }: NoticeItem): string =>
  url === undefined ? slack(text) : `<${slack(url)}|${slack(text)}>`

function slackText({ title, url, sections }: NoticeMessage): string {
  const parts = sections.map(
    ({ heading, items }) => `*${slack(heading)}*\n${items.map((item) => `• ${slackLink(item)}`).join('\n')}`,
  )
  return [slackLink({ text: title, url }), ...parts].join('\n\n')
}

/** An Adaptive Card, whose text runs take no markup. */
function teamsMessage({ title, url, sections }: NoticeMessage) {
  const run = ({ text, url }: NoticeItem, more: object = {}) => ({
    type: 'TextRun',
    text,
    ...more,
    ...(url !== undefined && { selectAction: { type: 'Action.OpenUrl', url } }),
  })
  const line = (item: NoticeItem, more?: object) => ({ type: 'RichTextBlock', inlines: [run(item, more)] })
  const body = [
    line({ text: title, url }, { weight: 'bolder' }),
    ...sections.flatMap(({ heading, items }) => [
      line({ text: heading }, { weight: 'bolder' }),
      ...items.map((item) => line(item)),
    ]),
  ]
  const content = { type: 'AdaptiveCard', version: '1.4', body }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  }
}
