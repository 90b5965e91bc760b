import type * as en from './en.ts'

export const shape: typeof en.shape = {
  at: (place, problem) => `${place}: ${problem}`,
  unknown_key: (key) => `${key} というキーは使えません。`,
  no_object: 'オブジェクトにしてください。',
  no_text: '文字列にしてください。',
  must_be: (what) => `${what}にしてください。`,
  not_one_of: (known) => `${known.join('、')} のどれかにしてください。`,
  no_count: '0 以上の整数にしてください。',
  no_array: '配列にしてください。',
  no_json: 'JSON になっていません。',
  no_json_at: (line, column) => `${line} 行目の ${column} 文字目から、JSON になっていません。`,
  key_duplicate: (line, column) =>
    `${line} 行目の ${column} 文字目のキーが、同じオブジェクトに 2 回あります。`,
  no_utf8: 'UTF-8 の文字列になっていません。UTF-8 で保存してください。',
  filled: '空でない文字列',
}

export const pageMetadata: typeof en.pageMetadata = {
  language: '言語タグ',
  line: '長すぎない 1 行の文字列',
  day: '2026-04-01 のような日付',
  review: '180d のような日数か、2026-04-01 のような日付',
  commit: 'コミットの ID',
  path: '/docs/guide のようなこのサイトのパス',
  group: 'グループの名前か all ',
  too_many: (most) => `パターンは ${most} 個までにしてください。`,
}

export const settings: typeof en.settings = {
  not_one_of: (name, known) => `${name} には ${known.join('、')} のどれかを書いてください。`,
  replaces: (name, replaced) =>
    `${name} と ${replaced.join('、')} は、一緒に使えません。どちらかを消してください。`,
}

export const grants: typeof en.grants = {
  unknown_kind: (kind, known) => `${kind} は使えません。使えるのは ${known.join('、')} です。`,
  no_source: (kind) => `${kind} の後に、許可する相手を書いてください。`,
  bad_source: (kind, source, words) =>
    `${kind} の ${source} は、https://images.example.com のような、パスのない https の URL${words.map((word) => `か ${word} `).join('')}にしてください。`,
}

export const html: typeof en.html = {
  nested_too_deep: (file, most) =>
    `${file} は要素の入れ子が ${most} 段を超えていて、ブラウザーでは書いたとおりに表示されません。閉じ忘れたタグを直すか、このファイルを外してください。`,
}

export const lists: typeof en.lists = {
  more: (count) => `…ほか ${count} 件`,
}

export const grantRisks: typeof en.grantRisks = {
  img: '読者のアドレスと、いつ読んだかが、そのホストに伝わります',
  media: '読者のアドレスと、いつ読んだかが、そのホストに伝わります',
  font: '読者のアドレスと、いつ読んだかが、そのホストに伝わります',
  style: 'そのホストを管理する人が、ページの見た目と、隠すものを決められます',
  script:
    'そのホストを管理する人のコードが、それぞれの読者の権限で動きます。読者が読めるものはすべて読めます',
  connect: 'ページのコードが、ページにあるものを何でもそのホストに送れます',
  frame: '読者のアドレスと、いつ読んだかが、そのホストに伝わります。ページの中に何でも表示できます',
  worker: 'ページのコードが、ハッシュで確かめていない別のコードを動かせます',
  form: '読者がページのフォームに書いたものが、そのホストに送られることがあります',
  eval: 'アドレスなどからページのコードに紛れ込んだ文字列が、それぞれの読者の権限で動くことがあります',
}

export const loginDocument: typeof en.loginDocument = {
  title: 'ログイン',
  noscript: 'ログインするには、ブラウザーの JavaScript を有効にしてください。',
  button: (label) => `${label} でログイン`,
}

export const previewEntry: typeof en.previewEntry = {
  title: 'プレビュー',
  going: 'ポータルでログインを確かめています。',
  failed: 'プレビューを開けませんでした。もう一度お試しください。',
  refused: 'このアカウントでは、このプレビューを読めません。',
  again: 'もう一度開く',
  noscript: 'プレビューを開くには、ブラウザーの JavaScript を有効にしてください。',
}

export const tls: typeof en.tls = {
  self_signed: (code) =>
    `TLS 証明書が自己署名です（${code}）。認証局が発行した証明書を使うか、証明書のファイルを NODE_EXTRA_CA_CERTS（PostgreSQL では sslrootcert）に指定してください。`,
  unknown_authority: (code) =>
    `TLS 証明書の発行元を、このマシンは信頼していません（${code}）。サーバーが中間証明書も送るようにしてください。社内の認証局の場合は、その証明書のファイルを NODE_EXTRA_CA_CERTS（PostgreSQL では sslrootcert）に指定してください。`,
  expired: (code) =>
    `TLS 証明書の有効期限が切れています（${code}）。証明書を更新するか、このマシンの時計を確認してください。`,
  not_yet_valid: (code) =>
    `TLS 証明書の有効期間がまだ始まっていません（${code}）。このマシンの時計を確認してください。`,
  other_name: (code) =>
    `TLS 証明書が別のホスト名のものです（${code}）。証明書に書かれた名前で接続してください。`,
  no_tls: (code) => `このポートは TLS に応答しません（${code}）。ポートと URL のスキームを確認してください。`,
  failed: (code) => `TLS で接続できませんでした（${code}）。`,
}
