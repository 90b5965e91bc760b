import type { manual as en } from '../en/manual.ts'

export const manual: typeof en = {
  help: (
    dataDir,
  ) => `使い方: sekisho export manual PATH... --release ID --as EDITION --out DIR [--people FILE]

1 つのエディションのページを、監査の証拠として書き出します。ページごとに、1 ファイルの HTML（Chromium があれば PDF も）、
配信した内容とハッシュ、Git のコミットと承認者、確認の記録、アクセスできたアカウント、これらのページについての監査ログの行、
ISO/IEC 27001:2022 との対応、VERIFY.md を含みます。エディションにないパスは拒否します。

  --release ID    残っているリリース（sekisho releases list）
  --as EDITION    エディションの名前
  --people FILE   sekisho acknowledgements と同じ
  --out DIR       新しく作るフォルダー。DIR.zip なら 1 つの ZIP ファイル
${dataDir}
  --help          この説明を表示する

コミットは、サイトのリポジトリで実行したときに分かります。`,
  edition_not_found: (release, name) => `リリース ${release} に、エディション ${name} はありません。`,
  page_not_found: (edition, path) => `エディション ${edition} に、ページ ${path} はありません。`,
  file_damaged: (sha256, release) =>
    `リリース ${release} のファイル ${sha256} が、ハッシュと一致しません。バックアップから戻してください。`,
  file_left_out: (path) => `含めませんでした: ${path} は、エディションにないか、大きすぎます。`,
  too_large_for_zip:
    'ZIP ファイルには 4 GB、65,535 ファイルまでしか入りません。フォルダーに書き出すか、ページを減らしてください。',
  no_pdf: (why) => `PDF は作りませんでした（${why}）。CHROME_PATH で Chromium を指定してください。`,
  exported: (folder, pages, fingerprint) =>
    `${folder} に ${pages} ページを書き出しました。鍵のフィンガープリント: ${fingerprint}`,
  column_file: 'ファイル',
  column_path: 'ページ',
  column_title: 'タイトル',
  column_owner: '担当',
  column_revision: '版',
  column_reviewed: '最後の見直し',
  column_sha256: '配信したページの SHA-256',
  column_release: 'リリース',
  column_edition: 'エディション',
  column_commit: 'コミット',
  column_at: '日時',
  column_author: '作成者',
  column_committer: 'コミットした人',
  column_approvers: '承認者（コミットのトレーラー）',
  verify: (signature) => `# 検証

このフォルダーで、openssl（3.0 以降）と sha256sum だけを使います。

\`\`\`sh
${signature}
sha256sum --check --strict SHA256SUMS
sha256sum public-key.pem
\`\`\`

1 行目は "Signature Verified Successfully"、2 行目はすべてのファイルに "OK" を表示します。SHA256SUMS にないファイルは、この証拠に
含まれません。公開鍵は、運用者からも受け取り（\`sekisho audit key\`）、そのハッシュを最後の行と比べてください。

pages.csv の SHA-256 は、served/NNN.html.txt のハッシュです。ポータルが自身の表示を加える前の、配信するページそのもので、
確認の記録も同じハッシュを持ちます。pages/NNN.html はそこから作ったもので、スクリプトを除き、そのエディションの画像とスタイルを
含みます。

audit.jsonl の各行は、同じチェーンの前の行のハッシュを持ちます。チェーン全体は \`sekisho audit export\` で書き出せます。
ほかのエディションの確認の記録と行、コミットの件名は含みません。
`,
  mapping: `# ISO/IEC 27001:2022

| 箇条・管理策 | 証拠 |
|---|---|
| 7.5 文書化した情報 | pages/、served/、pages.csv（担当、版、最後の見直し）、commits.csv（変更、承認者） |
| A.5.1 情報セキュリティのための方針群 | pages/、commits.csv（承認）、acknowledgements.csv と .html |
| A.5.10 情報及びその他の関連資産の許容される利用 | pages/、acknowledgements.csv |
| A.5.15 アクセス制御 | access.csv |
| A.5.18 アクセス権 | access.csv（アカウント、最初と最後のログイン） |
| A.5.33 記録の保護 | SHA256SUMS、SHA256SUMS.sig、VERIFY.md |
| A.5.37 操作手順書 | pages/、pages.csv |
| A.6.3 情報セキュリティの意識向上、教育及び訓練 | acknowledgements.csv、audit.jsonl（閲覧） |
| A.8.15 ログ取得 | audit.jsonl |
`,
}
