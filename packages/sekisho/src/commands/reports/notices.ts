import { createMessages } from '@sekisho/contract/language'
import { createTestMessage, NoticeError, sendMail, sendWebhook } from '@sekisho/server/notices'
import { complainOf, DATA_DIR, dataDirHelp, defineCommand, misuse } from '../../command.ts'
import { sayTo } from '../../language.ts'
import { readEnvironment } from '../../read-environment.ts'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'reports')

const HELP = messageOf('notices_help', dataDirHelp(16))
const OPTIONS = { to: { type: 'string' }, ...DATA_DIR } as const

/** Runs `sekisho notices test`: exit code 0 only when every receiver took the message. */
export const runNotices = defineCommand(
  { name: 'notices', help: HELP, options: OPTIONS, maxPositionals: 1 },
  async (read, io) => {
    const { to, 'data-dir': dataDir } = read.values
    if (read.positionals[0] !== 'test') return misuse(io, HELP)
    const { notices, origin, site, loginLanguage } = await readEnvironment('production', io, dataDir)
    const complain = (message: ReturnType<typeof messageOf>) => complainOf('notices', message, io)
    if (notices === null || origin === null) return complain(messageOf('notices_off'))
    const { webhook, mail, privateHosts } = notices
    if (mail !== null && to === undefined) {
      complain(messageOf('notices_no_recipient'))
      return 2
    }
    const message = createTestMessage(origin, site.title, loginLanguage)
    /** Resolves to the number of receivers that did not take it. */
    const tryTo = async (host: string, sending: Promise<void>): Promise<number> => {
      try {
        await sending
        io.print(sayTo(io, messageOf('notice_taken', host)))
        return 0
      } catch (error) {
        if (!(error instanceof NoticeError)) throw error
        complain(messageOf('notice_refused', host, error.message))
        return 1
      }
    }
    let refused = 0
    if (webhook !== null)
      refused += await tryTo(webhook.url.host, sendWebhook(webhook, message, privateHosts, io.clock()))
    if (mail !== null && to !== undefined)
      refused += await tryTo(mail.url.host, sendMail(mail, to, message, privateHosts))
    return refused === 0 ? 0 : 1
  },
)
