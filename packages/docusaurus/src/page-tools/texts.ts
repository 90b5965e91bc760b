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
  signedOut:
    'ログインが切れているため、まだ送信していません。入力した内容は残してあります。ページを再読み込みしてログインすると、続きから送信できます。',
  notAsked: 'このポータルでは評価を受け付けていません。',
  menu: 'このページの操作',
  copy: 'Markdown をコピー',
  copied: 'Markdown をコピーしました',
  copyFailed: 'コピーできませんでした。「Markdown を開く」をお試しください。',
  open: 'Markdown を開く',
  print: '印刷する',
  agent: 'エージェントに渡す',
  claudeCode: 'Claude Code のコマンドをコピー',
  commandCopied: 'コマンドをコピーしました',
  commandNotCopied: 'コピーできませんでした。下のコマンドを選択してコピーしてください。',
  cursor: 'Cursor に追加',
  vsCode: 'VS Code に追加',
  agentsOff: 'このポータルには、エージェントをつなげません。',
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
  signedOut:
    'It was not sent: your session has ended. Your text is kept. Reload the page and log in to send it.',
  notAsked: 'Feedback is disabled.',
  menu: 'Page actions',
  copy: 'Copy as Markdown',
  copied: 'Markdown copied',
  copyFailed: 'It could not be copied. Please try “Open Markdown”.',
  open: 'Open Markdown',
  print: 'Print',
  agent: 'Give to an agent',
  claudeCode: 'Copy the command for Claude Code',
  commandCopied: 'Command copied',
  commandNotCopied: 'It could not be copied. Please select the command below.',
  cursor: 'Add to Cursor',
  vsCode: 'Add to VS Code',
  agentsOff: 'Agents cannot be connected to this portal.',
  headingCopied: 'Link to the heading copied',
  zoom: 'enlarge',
  close: 'Close',
}

/** The texts in the language that the page was built in; the others stay out of it. */
export const TOOL_TEXTS = process.env.PAGE_LANGUAGE === 'ja' ? JAPANESE : ENGLISH
