import type { en } from './en.ts'

const count = (number: number) => number.toLocaleString('ja')

/** Japanese texts of verification. */
export const ja: typeof en = {
  report: {
    heading: (release, files, url) => `リリース ${release}（${count(files)} ファイル）、ゲート ${url}`,
    asked: (requests, seconds) => `  ログインせずに要求  ${count(requests)} 回（${seconds} 秒）`,
    tables: ({ paths, methods, headers, parameters, rawRequests, sideDoors }) =>
      `  試した方法          パスの書き方 ${paths}、メソッド ${methods}、ヘッダー ${headers}、パラメーター ${parameters}、生のバイト列 ${rawRequests}、別経路 ${sideDoors}`,
    behind_reader: (files) => `  読者の直後に要求    読者が読んだばかりの ${count(files)} ファイル`,
    answers: (answers) => `  応答の種類          ${count(answers)}`,
    login_control: (status, bytes, title) =>
      `  対照: ログイン画面  GET / → ${status}、${count(bytes)} バイト${title === '' ? '' : `、題「${title}」`}`,
    reader_control: (page) => `  対照: ログイン後    GET ${page} → リリースのページ`,
    refused_by_proxy: (requests, rows) =>
      `  プロキシが拒否      ${count(requests)} 回（${rows} 行）。ゲートには届いていません`,
    surface: (addresses) =>
      `ログインせずに応答するアドレス: ${addresses} 個。ほかのアドレスは、どれも同じ応答で拒否します`,
    more: (others) => `  … ほか ${others} 個（--json ですべて表示します）`,
    broken: (meaning, requests, row) => `✖ ${meaning}: ${requests} 回。たとえば（${row}）`,
    nothing_verified:
      '✖ 何も検証できていません。ログインした状態でページを 1 つも読んでいません。読者の Cookie ヘッダーのファイルを --reader で指定してください。',
    closed: '✔ 閉じています。リリースの内容は、何もゲートの外に出ていません。',
    closed_edition: (edition) =>
      `✔ 閉じています。ほかのエディションだけが持つものは、${edition} の読者には何も見えません。`,
    not_closed: (findings) =>
      `✖ 閉じていません。${findings} 件の問題が見つかりました（--json ですべて表示します）。`,
    edition_heading: (release, edition) => `リリース ${release}、エディション ${edition} の読者として`,
    edition_requests: (requests, seconds) =>
      `  要求                      ${count(requests)} 回（${seconds} 秒）`,
    edition_files: (files) => `  このエディションのファイル  ${count(files)} 個を読みました`,
    edition_hidden: (hidden, shown) =>
      `  ほかのエディションのもの    ${count(hidden)} 個。対照として、そのうち ${count(shown)} ファイルが本来の読者に届くことを確かめました`,
    progress: (phase, requests, seconds) => `検証中: ${phase}、${count(requests)} 回、${seconds} 秒`,
  },
  phases: {
    reading: '読み取り',
    tables: '脅威の表',
    crowd: '同時の要求',
    sessions: 'セッション',
    'raw bytes': '生のバイト列',
    surface: '公開部分',
    comparing: '照合',
  },
  meanings: {
    'protected-text': 'リリースの本文が送られました',
    'page-title': 'ページの題が送られました',
    'file-name': 'ファイル名が送られました',
    answered: 'ログインしていないのに、成功の応答が返りました',
    redirected: 'ログインしていないのに、別のアドレスに案内しました',
    validator: 'ヘッダーから内容が分かります',
    cacheable: '応答がキャッシュに残るおそれがあります',
    fault: 'ログインしていない人が、障害を起こせます',
    'no-answer': '時間内に応答がありません',
    unreadable: '応答を読み取れないため、漏れていないことを確かめられません',
    'not-uniform': '存在するものと存在しないもので、応答が違います',
    'login-language': 'ログイン画面の言語が、アドレスの言語と違います',
    'second-answer': '1 つの要求に、2 つの応答が返りました',
    'not-pinned': '応答が、この製品のものではありません',
    'unknown-header': 'この製品が送らないヘッダーが応答にあります',
    'missing-header': '応答に、安全のためのヘッダーがありません',
    'cross-site': '読者だけが読めるものを、ほかのサイトから読み込めます',
    'other-edition': 'ほかのエディションだけが持つものが、読者に送られました',
    'no-control': '本来の読者にも届かないため、届かないことが証明になりません',
    'session-lives': 'ログアウトしたあとも、セッションが生きています',
  },
  verification: {
    edition_unread: (edition) => `エディション ${edition} のファイルが、その読者に 1 つも届きません。`,
    ended_session_refused: '終わらせるはずのセッションで、リリースのファイルを 1 つも開けません。',
    no_login_page: (got) =>
      `何も検証できていません。GET / にログイン画面が返りません（${got}）。ゲートの名前が URL と違うときは、--host で指定してください。`,
    reader_unread: '何も検証できていません。読者のセッションで、リリースのページを 1 つも開けません。',
    login_not_built: (file) =>
      `ログイン画面がビルドされていません（${file} がありません）。npm run build を実行してください。`,
    login_damaged: (file, problems) =>
      `${file} は、ログイン画面のマニフェストではありません: ${problems.join('、')}`,
  },
}
