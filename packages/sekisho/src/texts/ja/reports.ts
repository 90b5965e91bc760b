import type { reports as en } from '../en/reports.ts'

export const reports: typeof en = {
  report_help: (dataDir) => `使い方: sekisho report [--days N] [--limit N] [--json]

「このページは役に立ちましたか」への答えを、役に立たなかった数の多いページから並べます。ページごとの週の読者の数（5 人以上）と、
180 日間開かれていないページを担当ごとに示します。続けて、見つからなかった検索、質問、アドレスを、エージェントの分も含めて、最も近い
ページの担当ごとに示します。名前と時刻は残していません（SEKISHO_FEEDBACK_DAYS、SEKISHO_READERSHIP、SEKISHO_SEARCH_LOG_DAYS）。

  --days N        今日を含めて何日前まで（既定: 30）
  --limit N       並べるページの数（既定: 20）
  --json          すべてを JSON で
${dataDir}
  --help          この説明を表示する`,
  nothing_reported: (root) =>
    `${root} にはまだ答えがありません（または SEKISHO_FEEDBACK_DAYS が 0 です）。別のフォルダーは --data-dir で指定します`,
  report_summary: (answers, pagesCount, days) => `${days} 日間に ${pagesCount} ページへ ${answers} 件の答え`,
  readers_title: 'ページごとの読者、最近の週（<5 は 5 人未満）',
  unread_title: (count) => `180 日間開かれていないページ: ${count}`,
  unread_later: '開かれていないページは、読者を 180 日間数えてから示します。',
  gaps_title: (count) =>
    `探して見つからなかったもの、最も近いページの担当ごと（1 週間に 5 人以上）: ${count}`,
  counts: (unhelpful, helpful) => `役に立たなかった ${unhelpful}、役に立った ${helpful}`,
  comment_of_agent: (comment) => `エージェントから: ${comment}`,
  more_pages: (left) => `ほか ${left} ページ`,
  notices_help: (dataDir) => `使い方: sekisho notices test [--to ADDRESS]

SEKISHO_NOTICES_… の設定のとおりに、ページを含まない試しの通知を 1 通、Webhook と、ADDRESS へのメールで送ります。

  --to ADDRESS    メールの宛先。メールサーバーを設定しているときに必要
${dataDir}
  --help          この説明を表示する`,
  notices_off: '通知の設定がありません。SEKISHO_NOTICES_WEBHOOK か SEKISHO_NOTICES_SMTP を設定してください。',
  notices_no_recipient:
    'メールサーバーが設定されています。試しのメールの宛先を --to ADDRESS で指定してください。',
  notice_taken: (host) => `${host} が試しの通知を受け取りました`,
  notice_refused: (host, reason) =>
    `${host} は試しの通知を受け取りませんでした（${reason}）。private_address のとき、自社のホストなら SEKISHO_NOTICES_PRIVATE_HOSTS に書いてください。`,
  audit_help: (
    dataDir,
  ) => `使い方: sekisho audit verify [EXPORT] [--expect-head HASH] [--expect-first [CHAIN:]NUMBER]
       sekisho audit export --from TIME --to TIME --out DIR
       sekisho audit key
       sekisho audit trim --keep TIME
       sekisho audit follow --cursor FILE [--out FILE] [--once]

verify  監査ログのすべてのハッシュチェーンを最初の行から最後の行までたどる。動いているゲートの横でもよい。変えられた行、なくなった行と
        ファイルを示し、両端を署名と照らし合わせる。EXPORT は export が作ったフォルダー
export  ある期間の行を、別の場所で検証できるフォルダーに写す
key     署名を確かめるための公開鍵を表示する
trim    データベースの監査ログから、TIME（365d など）より古い行を削除する。誰が何番まで消したかが署名付きで残る。
        ゲートのロールではできない（sekisho migrate --grant-operator）。ファイルでは SEKISHO_AUDIT_KEEP に従ってゲートが行う
follow  残っている最初の行から、止められるまで、すべての行を JSON で標準出力かファイルに書き続ける。書き終えた位置を --cursor の
        ファイルに残すので、再起動しても各行を少なくとも 1 回書く。読む前に削除された行があれば知らせる

SEKISHO_DATABASE_URL があり --data-dir がなければ、そのデータベースにある全ゲートの監査ログを扱います（SEKISHO_SECRET が必要）。

データフォルダー全体に書き込める人は、古い写しに置き換えられます。ときどき先頭の値（head）を別の場所に控え（ゲートのログには
1 時間ごとに出ます）、それを渡してください。

  --expect-head HASH  以前の実行が示した head。今もハッシュチェーンの一部でなければならない。何度でも指定できる
  --expect-first N    以前の実行が示した最初の行がまだなければならない（ゲート以外のチェーンは CHAIN:N）
  --public-key FILE   書き出したものの署名を確かめる鍵（既定: 中にある鍵。その指紋を表示する）
  --from, --to TIME   ISO 8601。例: 2026-11-01、2026-11-01T09:00:00+09:00。--to の時刻は含まない
  --out DIR           まだないフォルダー。follow では、行を追加するファイル
  --once              今の最後の行まで書いて終わる。欠けた行があれば終了コードは 1
${dataDir}
  --help              この説明を表示する`,
  follow_needs: '書き終えた位置を残すファイルを --cursor FILE で指定してください。',
  follow_gap: (chain, seq) =>
    `${chain}: ${seq} 番より前に、読む前に監査ログから削除された行があります。範囲は "follow":"gap" の行にあります。`,
  follow_rewritten: (chain, seq) =>
    `${chain}: 書き終えた行の位置に別の行があります（多くはデータベースの切り替え）。最初の行から ${seq} 番まで書き直しました。`,
  follow_altered: (chain, seq) =>
    `${chain}: ${seq} 番までに改変された行があります。sekisho audit verify を実行してください。`,
  follow_waits: (code) => `監査ログを読めません（${code}）。1 秒ごとに再試行します。`,
  follow_output: (code) => `出力先に書けません（${code}）。書けなかった行は、次の起動時にもう一度書きます。`,
  follow_no_cursor: (file) =>
    `${file} は sekisho audit follow の位置のファイルではありません。別のファイルを指定するか、最初の行からでよければ削除してください。`,
  lines_removed: (lines) => `${lines} 行を削除`,
  chain_trimmed: (chain, lines, through) => `${chain}: ${through} 番までの ${lines} 行を削除しました`,
  no_older_lines: (before) => `${before} より古い行はありません`,
  trim_by_gate: 'ファイルの監査ログでは、ゲートが SEKISHO_AUDIT_KEEP に従って古い行を削除します',
  lines_verified: (lines) => `${lines} 行を確認`,
  line: (lineNumber) => ` の ${lineNumber} 行目`,
  chain_of_lines: (chain, lines, firstSeq) => `${chain}: ${lines} 行。最初の行は ${firstSeq} 番`,
  chain_unaltered: (chain, lines, firstSeq) => `${chain}: ${lines} 行、変更なし。最初の行は ${firstSeq} 番`,
  head_unsigned: (hash) => `  head ${hash}、署名なし`,
  head_signed: (hash, signed) => `  head ${hash}、最後の署名 ${signed}`,
  older_than_head: (seq) => `  ${seq} 番までの行は署名された head より古い。更新の直後だけは正しい`,
  lines_rewritten: (lines) =>
    `  うち ${lines} 行は、データベースの切り替えで失われたため書き直された（lines_missing の後、again の付いた行）。内容は元のまま`,
  last_line_unfinished: '  最後の行は書き込み中か、異常終了で途切れている',
  search_report_help: (dataDir) => `使い方: sekisho search-report [--days N] [--limit N] [--json]

読者が何を探したかを表示します。回数の多い検索、見つからなかった検索、最初の結果が開かれなかった検索、
それに同義語の候補（何も開かず、2 分以内に言い換えて開いたもの。3 人以上）と、採用するコマンドです。名前と時刻は記録されません（SEKISHO_SEARCH_LOG_DAYS を参照）。

  --days N        さかのぼる日数。今日を含む（既定 30）
  --limit N       各一覧に表示する件数（既定 20）
  --json          すべてを機械向けに出力する
${dataDir}
  --help          この説明を表示する`,
  searches_opened_results: (searches, opened, days) =>
    `${days} 日間に、検索 ${searches} 回、開かれた結果 ${opened} 件`,
  most_searched: 'よく検索されたもの',
  searched_by_agents: 'エージェントが検索したもの',
  without_hit_for_agents: 'エージェントには見つからなかったもの',
  without_hit: '見つからなかったもの',
  first_result_unopened: '最初の結果が開かれなかったもの',
  more: (foundCount, limit) => `         ほか ${foundCount - limit} 件`,
  candidates_for_synonyms: '同義語の候補（何も開かず、言い換えて開いたもの。3 人以上）',
  bad_days_or_limit: '--days と --limit には 1 以上の整数を指定してください',
  bad_expect_first: '--expect-first には、番号か「チェーン:番号」を書いてください。',
  no_trail: (folder) => `${folder} に監査ログがありません。--data-dir でフォルダーを指定してください。`,
  unexpected: (argument) => `「${argument}」は、ここには書けません。`,
  export_options_missing: 'export には、--from、それより後の --to、--out が要ります。',
  trim_needs: 'trim には、--keep 365d のような期間が要ります。',
  export_folder_exists: (folder) =>
    `${folder} はすでにあります。--out には、新しいフォルダーを指定してください。`,
  no_export: (folder) =>
    `${folder} は、取り出した監査ログではありません（audit-public-key.pem がありません）。`,
  key_from_export: (fingerprint) =>
    `  一緒に取り出された鍵 ${fingerprint} の署名です。sekisho audit key の値と見比べてください`,
  no_key_yet: (folder) => `ゲートを一度も起動していないので、${folder} に鍵がありません。`,
  fingerprint: (fingerprint) => `指紋 ${fingerprint}`,
  exported: (chain, first, last) => `${chain}: ${first}〜${last} 行目`,
  written_to: (folder) => `${folder} に書きました。検証するには: sekisho audit verify ${folder}`,
  nothing_searched: (root) =>
    `${root} にはまだ検索の記録がありません（または SEKISHO_SEARCH_LOG_DAYS が 0 です）。別のフォルダーは --data-dir で指定します`,
}
