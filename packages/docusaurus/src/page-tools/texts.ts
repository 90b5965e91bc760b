const JAPANESE = {
  label: 'このページについて',
  question: 'このページは役に立ちましたか',
  yes: 'はい',
  no: 'いいえ',
  comment: 'よろしければ一言どうぞ（任意。名前は記録しません）',
  send: '送信する',
  sending: '送信しています',
  thanks: 'ありがとうございました。',
  failed: '送信できませんでした。少し待ってからもう一度お試しください。',
  notAsked: 'このポータルでは評価を受け付けていません。',
  copy: 'Markdown をコピー',
  copied: 'Markdown をコピーしました',
  copyFailed: 'コピーできませんでした。「Markdown を開く」をお試しください。',
  open: 'Markdown を開く',
  print: '印刷する',
  headingCopied: '見出しの URL をコピーしました',
  zoom: '拡大する',
  close: '閉じる',
}

/** Everything a reader sees of the tools. */
export type ToolTexts = typeof JAPANESE

const ENGLISH: ToolTexts = {
  label: 'About this page',
  question: 'Was this page helpful?',
  yes: 'Yes',
  no: 'No',
  comment: 'Tell us why, if you like (your name is not recorded)',
  send: 'Send',
  sending: 'Sending',
  thanks: 'Thank you.',
  failed: 'It could not be sent. Please try again in a moment.',
  notAsked: 'This portal does not ask for opinions.',
  copy: 'Copy as Markdown',
  copied: 'Markdown copied',
  copyFailed: 'It could not be copied. Please try “Open Markdown”.',
  open: 'Open Markdown',
  print: 'Print',
  headingCopied: 'Link to the heading copied',
  zoom: 'enlarge',
  close: 'Close',
}

/** The texts in the language of the page: Japanese, or English on any other. */
export function toolTexts(lang: string): ToolTexts {
  return /^ja\b/i.test(lang) ? JAPANESE : ENGLISH
}
