import { decodeOrSame } from '@sekisho/contract/canonical-path'
import { PASTED } from '../../query-constants.ts'
import { hasJapanese } from '../../text/characters.ts'

/** A query that was copied from a log or a terminal, as far as a page may have it. */
interface PastedLine {
  readonly text: string
  /** Parts that only a log or a terminal writes were removed. */
  readonly isPasted: boolean
}

const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?`
const DAY = String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s)?(?:\d{4}[-/]\d\d[-/]\d\d|\d{1,2}/[A-Z][a-z]{2}/\d{4}|[A-Z][a-z]{2}\s{1,2}\d{1,2}|[IWEF]\d{4}(?=\s))`
const LEVEL =
  '(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|FATAL|CRIT(?:ICAL)?|ALERT|EMERG|SEVERE|PANIC)'
const ADDRESS = String.raw`(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?`
const FILE = String.raw`[^\s"'()<>|,]{1,200}\.[A-Za-z][A-Za-z\d]{0,4}`

/** Parts that a line has for its own sake, each with the text that stays of it. Every pattern ends where a space or a quote does. */
const PARTS: readonly (readonly [pattern: RegExp, stays: string])[] = [
  [/\p{Cc}\[[\d;]{0,16}[A-Za-z]/gu, ''],
  // A prompt, or the name of a container before its line.
  [
    /^(?:PS [^>]{0,200}>|[A-Za-z]:\\[^>]{0,200}>|\[?[\w.-]{1,64}@[\w.-]{1,64}[:\s][^\s$#%]{0,200}\]?[$#%]|[$%>]{1,3})\s/,
    '',
  ],
  [/^[\w.-]{1,64}\s{1,8}\|\s/, ''],
  [/^npm (?:ERR!|error)\s(?:code\s)?/, ''],
  // A record of JSON or of key=value: its message.
  [/^\{.{0,400}?"(?:msg|message|error)"\s?:\s?"([^"]{1,400}).*$/s, '$1'],
  [/\b(?:msg|err|error)="([^"]{1,400})"/g, ' $1 '],
  [new RegExp(String.raw`\[?(?:${DAY}[T:\s]?\s{0,2})?${CLOCK}\]?(?:\s(?:UTC|GMT|JST))?(?=\s|$)`, 'g'), ' '],
  [/(?:^|\s)\[?\d{4}[-/]\d\d[-/]\d\d\]?(?=\s)/g, ' '],
  // The host and the process of syslog, the thread and the source of a logger.
  [/^\s*[\w.-]{1,64}\s([\w./-]{1,64})\[\d{1,8}\]:\s/, ' '],
  [/(?:^|\s)\d{1,8}\s(?:[\w-]{1,40}\.go:\d{1,6}\]|---(?=\s))/g, ' '],
  [/(?:^|\s)\d{1,8}#\d{1,8}:(?:\s\*\d{1,12})?/g, ' '],
  [
    /(?:^|\s)(?:\[(?:main|[\w .:/-]{0,40}[-:\d][\w .:/-]{0,40})\]|\((?:pid|tid|thread)[ =:]?\d{1,12}\))(?=\s|$)/gi,
    ' ',
  ],
  [new RegExp(String.raw`(?:^|\s)(?:\[${LEVEL}\s?\]|##\[\w{1,12}\])`, 'gi'), ' '],
  [new RegExp(String.raw`(?:^|\s)${LEVEL}:?(?=\s)`, 'g'), ' '],
  [/^\s*(?:info|warn|fail|crit|dbug|trce):\s(?:[\w.]{1,120}\[\d{1,8}\])?/, ' '],
  [/(?:^|\s)(?:[a-z]{1,3}\.){1,8}[\w.]{0,60}[A-Z]\w{0,60}\s{1,30}:(?=\s)/g, ' '],
  // Frames of a stack, places in a file, ids, addresses, pairs.
  [/(?:^|\s)at\s[^\s(]{1,200}(?:\s\[as [^\]]{1,80}\])?\s?\([^)]{1,300}\)/g, ' '],
  [
    new RegExp(
      String.raw`(?:^|\s)(?:at\s|-->\s)?\(?${FILE}(?:[:(]\d{1,7}(?:[:,]\d{1,7})?\)?)(?:\schar:\d{1,6})?[:\])]?`,
      'gi',
    ),
    ' ',
  ],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, ' '],
  [/\b0x[\da-f]{4,16}\b|\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[\da-f]{12,64}\b/gi, ' '],
  [/,?\s(?:client|server|request|upstream|host|referrer):\s(?:"[^"]{0,300}"|[^\s,]{1,200})/g, ' '],
  [
    /(?:^|\s)(?:pod|namespace|node|container|trace_?id|span_?id|req(?:uest)?_?id|pid|tid|hostname|time|ts|level|logger|caller|thread)=(?:"[^"]{0,200}"|[^\s,]{1,200})/gi,
    ' ',
  ],
  [new RegExp(String.raw`(?:^|\s)${ADDRESS}(?=[\s,]|$)`, 'g'), ' '],
]

/**
 * Leaves off what a log or a terminal wrote around a message: time, level, host, process, prompt, places in files, ids. No page has
 * these, and a word that is nowhere would decide. What is nothing but such parts stays as it is.
 */
export function readPastedLine(query: string): PastedLine {
  const address = readAddress(query)
  if (address !== null) return { text: address, isPasted: false }
  let text = query
  for (const [pattern, stays] of PARTS) text = text.replace(pattern, stays)
  const rest = text.replace(/\s+/g, ' ').replace(/^[\s"|:-]{1,20}|[\s"]{1,20}$/g, '')
  const words = rest.match(/[A-Za-z]{2,}/g)?.length ?? 0
  const isPasted = text !== query && words >= PASTED.minWords
  return isPasted ? { text: withoutRemark(rest), isPasted } : { text: query, isPasted: false }
}

/** The words of a page's address, which a page has in its own; null for any other query. The host and the anchor are on no page. */
function readAddress(query: string): string | null {
  const [, path = ''] = /^\s*https?:\/\/[^\s/]{1,255}(\/[^\s?#]{0,500})\S{0,500}\s*$/i.exec(query) ?? []
  const words = decodeOrSame(path)
    .replace(/\/?(?:index)?\.\w{2,5}$/, '')
    .replace(/[/_-]+/g, ' ')
    .trim()
  return words === '' ? null : words
}

/** A remark behind a message (が出て困る) is short, and says nothing of it. */
function withoutRemark(line: string): string {
  const [, message = line, remark = ''] = /^(.*[!-~])\s?([^!-~]{1,40})$/s.exec(line) ?? []
  return hasJapanese(remark) && !hasJapanese(message) ? message : line
}
