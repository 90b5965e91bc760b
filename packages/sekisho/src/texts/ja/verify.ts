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
}
