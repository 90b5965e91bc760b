import type { verify as en } from '../en/verify.ts'

export const verify: typeof en = {
  verify_help: (dataDir) => `使い方: sekisho verify [--url URL] [--preview NAME] [--release ID|DIR] [--json]

ゲートが閉じていることを証明します。ログインせずに、リリースのすべてのファイルを、脅威の表にあるあらゆる形で、生のソケットから求め、
答えをすべてリリースと照らし合わせます。終了コードは、閉じていれば 0、閉じていなければ 1、指定が誤っているか確かめるものがなければ 2 です。

  --url URL         確かめるゲート（既定: その間だけループバックのポートで起動する）
  --host NAME       別の名前の後ろにあるときの、ゲートの名前（既定: URL のホスト）
  --ca FILE         公開の証明書の代わりに信頼する証明書（PEM）。試験中のプロキシなどに
  --reader FILE     読者の Cookie ヘッダー。それですべてを 1 度読み、同じものを Cookie なしでも求める
                    --as では --reader EDITION=FILE の形で、エディションごとに 1 つ
  --agent EDITION=FILE  --as と --url で使う。その読者のトークン。エディションごとに 1 つ。それで /mcp にも求める
  --sign-out        --reader のセッションを最後にログアウトし、それで何も読めなくなったことも確かめる
  --preview NAME    --url のアドレスにあるプレビュー
  --as EDITION      そのエディションの読者として、ほかのエディションだけにあるものをすべて求める
  --release ID|DIR  配信しているリリース（既定: 現在のもの）
${dataDir}
  --public TEXT     ログインしなくても現れてよい語句。何度でも指定できる
  --quick           表を 1 つずつ確かめ、組み合わせは試さない
  --json            報告をすべて JSON で表示する
  --help            この説明を表示する`,
  no_edition: (name, names) =>
    `リリースに ${name} というエディションはありません（あるのは ${names.join('、')} です）。`,
  agent_without_as: '--agent には、その読者のエディションを示す --as が要ります。',
  no_release: (folder) =>
    `${folder} にリリースがありません。sekisho build を実行するか、--release で指定してください。`,
  preview_needs_url: '--preview には、プレビューのアドレスを示す --url が要ります。',
  url_is_origin:
    '--url には、https://docs.example.com のように、パスのない http か https のアドレスを書いてください。',
  sign_out_needs_reader: '--sign-out には、ログアウトさせる読者を示す --reader が要ります。',
  one_reader: '--reader に書ける読者は 1 人です（--as のときは、エディションごとに 1 人）。',
  as_excludes_sign_out: '--as では誰もログアウトさせません。--sign-out を外してください。',
  edition_and_file: (given, names) =>
    `${given} は、「エディション=ファイル」の形で書いてください。エディションは ${names.join('、')} のどれかです。`,
  edition_readers_missing: (missing) =>
    `動いているゲートは、エディションごとの読者として読みます。${missing} を加えてください。`,
  option_unread: (option, why) => `${option} のファイルを読めません: ${why}`,
  login_language: (languages) => `SEKISHO_LOGIN_LANG は ${languages.join(' か ')} にしてください。`,
  unreachable: (why) => `ゲートに接続できません: ${why}`,
  own_gate_ended: '検証のためのゲートが起動できませんでした。理由は上のとおりです。',
  own_gate_unresponsive: '検証のためのゲートが、どこで待ち受けるかを答えませんでした。',
}
