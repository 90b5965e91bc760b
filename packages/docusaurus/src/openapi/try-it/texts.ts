const JAPANESE = {
  title: '試してみる',
  about: 'このブラウザーのセッションで、このポータルに GET リクエストを送ります。',
  refused: 'プレビューでは試せません。公開中のポータルで、このページを開いてください。',
  required: '（必須）',
  unset: '指定しない',
  further: (count: number) => `ほかのパラメーター（${count}）`,
  request: 'リクエスト',
  send: '送信する',
  sending: '送信しています',
  answer: '結果',
  none: '送信すると、ここに表示します。',
  failed: '送信できませんでした。接続を確かめて、もう一度お試しください。',
  got: (status: number, tookMs: number, bytes: number) =>
    `ステータス ${status}（${tookMs} ミリ秒、${bytes.toLocaleString('ja')} バイト）`,
  binary: (type: string) => `文字ではないため表示しません（${type || '種類の指定なし'}）。`,
  cut: '長いため、途中までを表示しています。',
}

/** Everything a reader sees of trying a request. */
export type TryTexts = typeof JAPANESE

const ENGLISH: TryTexts = {
  title: 'Try it',
  about: 'Sends a GET request to this portal, with the session of this browser.',
  refused: 'Requests cannot be tried in a preview: open this page in the portal.',
  required: ' (required)',
  unset: 'not set',
  further: (count) => `More parameters (${count})`,
  request: 'Request',
  send: 'Send',
  sending: 'Sending',
  answer: 'Result',
  none: 'It will be shown here.',
  failed: 'It could not be sent. Check the connection and try again.',
  got: (status, tookMs, bytes) => `Status ${status} (${tookMs} ms, ${bytes.toLocaleString('en')} bytes)`,
  binary: (type) => `This is no text and not shown (${type || 'no type given'}).`,
  cut: 'This is long; only its beginning is shown.',
}

/** The texts in the language of the page: Japanese, or English on any other. */
export const tryTexts = (lang: string): TryTexts => (/^ja\b/i.test(lang) ? JAPANESE : ENGLISH)
