import type { site as en, agents as enAgents, agentsIndex as enIndex } from '../en/site.ts'

export const site: typeof en = {
  pack_help: (
    dataDir,
  ) => `使い方: sekisho pack DIR [--title TITLE] [--lang TAG] [--base PATH] [--bar] [--data-dir DIR]

HTML のフォルダーをリリースにして公開します。MkDocs、VitePress、Starlight、TypeDoc が作ったものでも、手で書いたファイルでもかまいません。
検索インデックスもページから作ります。DIR に __sekisho/site.json と 404.html がなければ書きます。自分で書いたものや直したものは、そのまま使います。
言語ごとのフォルダー（ja/、en/ など）には、それぞれの検索インデックスを作ります。
このコマンドを実行するフォルダーに sekisho.search.json があれば、その言葉と同義語を検索に使います（sekisho synonyms を参照）。

  --title TITLE   サイトの名前（既定: 多くのページの題の終わり、なければ index.html の題）
  --lang TAG      サイトの言語（既定: index.html の指定、なければ ja）
  --base PATH     ページが置かれることになっているパス（例: /docs/。既定: /）
  --bar           検索とアカウントのボタン（bar.js）を、リリースの各ページに入れる
${dataDir}
  --help          この説明を表示する`,
  no_folder: 'フォルダーを指定してください。',
  wrong_base: '--base は / で始め、/ で終えてください。',
  undecodable: (name) =>
    `${name} に、宣言された文字コードでは読めない部分があるか、文字コードがわかりません。UTF-8 で保存してください。`,
  excluded: (pages) =>
    `検索に入れなかったページ: ${pages} ページ（<meta name="sekisho-search" content="exclude"> があるため）。`,
  no_title:
    'サイトの名前がわかりません。ログイン画面には「Sekisho」と表示されます。--title で指定してください。',
  no_bar:
    'どのページにも、ゲートの検索とアカウントのボタンがありません。sekisho pack --bar で入ります（/__gate/search-page はボタンなしでも使えます）。',
  dead_search:
    'このサイトの検索は外部の検索サービスに問い合わせますが、ゲートのコンテンツポリシーが止めるので、何も見つかりません。',
  unnamed_files: (files, rules) =>
    `どのページからも参照されない ${files.length} ファイルは、すべてを含むエディションだけに入れました。全員に配るものは ${rules} の "shared" に書いてください。\n${files.map((file) => `  ${file}`).join('\n')}`,
  separate_search_indexes: (languages) => `検索インデックスを言語ごとに作りました: ${languages.join('、')}`,
  not_embedded: (pages, problem) =>
    `${pages} ページは言葉だけで検索されます。「embeddings」のエンドポイントからベクトルを受け取れませんでした（${problem}）。次の実行でもう一度問い合わせます。`,
  ready: '検索できるようになりました。',
  dev_help: `使い方: sekisho dev [--site DIR] [--edition 名前] [--locale 名前]

執筆者のために Docusaurus を起動します。保存するとすぐに反映されます（このマシンだけ、ゲートなし）。
検索も保存した内容に追いつき、直すところは画面に出ます。ポートを 3000 から変えるには PORT を設定します。
エディションのあるサイトでは、開いたページがどのエディションに入るかが画面に出ます。1 つを選ぶと、その読者に見えるとおりに表示します。

  --site DIR      Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --edition 名前  最初に表示するエディション（既定: すべてのページ）
  --locale 名前   表示するサイトの言語（既定: サイトの既定の言語）
  --help          この説明を表示する`,
  no_edition: (name) => `このサイトに ${name} というエディションはありません。`,
  textlint_missing: (siteDir) =>
    `${siteDir} に textlint がありません。npm i -D textlint textlint-rule-preset-ja-technical-writing を実行してください。`,
  prose_remarks: (warnings, filesCount) => `${filesCount} ページに、文章の指摘が ${warnings} 件あります。`,
  new_page_help: `使い方: sekisho new フォルダー 名前 題 [--site DIR]

新しいページを、必要なフロントマターを付けて作ります。サイドバーには自動で並びます。

  フォルダー  docs、knowledge、blog など、サイトのフォルダー
  名前        ファイル名。英小文字、数字、ハイフン、下のフォルダーには「/」（例: github/release-rule）
  題          ページの題

  --site DIR  Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
  --help      この説明を表示する

例: sekisho new docs github/release-rule リリース規約`,
  made: (path) => `${path} を作りました。`,
  folder_not_found: (site, folder) =>
    `${site} に ${folder} というフォルダーはありません。docs、knowledge、blog などを指定してください。`,
  no_name_for: (name) =>
    `名前 ${name} は使えません。英小文字、数字、ハイフンで付けてください（例: github/release-rule）。`,
  page_exists: (file) => `${file} はもうあります。別の名前にしてください。`,
  synonyms_help: (vocabularyFile) => `使い方: sekisho synonyms
       sekisho synonyms WORD WORD... [--site DIR]

同義語を検索に登録します。言葉を挙げると、サイトの設定と並ぶ ${vocabularyFile} に 1 組として書きます。すでにある組と同じ言葉があれば、
その組に加えます。何も挙げなければ、いまの組を表示します。候補は sekisho search-report が挙げます。次にサイトを作ったときから効きます。

  --site DIR      サイトのフォルダー。sekisho pack で公開しているなら、それを実行するフォルダー（既定: このあたりの Docusaurus のサイト）
  --help          この説明を表示する`,
  one_word: '言葉を 2 つ以上挙げてください。',
  synonyms_empty: 'まだ 1 組もありません。',
  synonyms_unchanged: 'すでにある組です。',
  synonyms_added: (words, file) =>
    `${words.join('、')} を同じ意味の言葉として ${file} に書きました。次にサイトを作ったときから効きます。`,
  not_a_folder: (dir) => `${dir} はフォルダーではありません。`,
}

export const agents: typeof enAgents = {
  agents_md_help: (dataDir) => `使い方: sekisho agents-md [--origin URL] [--below PATH] [--data-dir DIR]

コードのリポジトリの AGENTS.md に貼る短い索引（8 KB 以内）を表示します。何が書かれているか、いつ調べるか、つなぎ方の 1 行です。
全員が読めるエディションのページだけが載ります。

  --origin URL    ポータルのアドレス（既定: SEKISHO_ORIGIN）
  --below PATH    このパスの下のページだけを載せる（例: /docs/payments/）
${dataDir}
  --help          この説明を表示する`,
  covers_help: `使い方: sekisho covers --changed BASE..HEAD --token-file FILE [--origin URL]

コードのリポジトリで実行します。フロントマターの \`covers\` が変更したファイルに当てはまるページを、プルリクエストに
コメントするための Markdown で表示します。なければ何も表示しません。表示するのは、トークンで読めるページだけです。

  --changed RANGE     git diff に渡すコミットの範囲。BASE...HEAD は、HEAD が BASE から分かれたところと比べる
  --token-file FILE   アカウントのページで作ったトークンのファイル
  --origin URL        ポータルのアドレス（既定: SEKISHO_ORIGIN）
  --help              この説明を表示する`,
  covers_title: '変更したファイルについて書かれたページです。内容は今も正しいですか。',
  covers_owner: (owner) => `（担当: ${owner}）`,
  covers_files: (files) => `、ほか ${files} 件`,
  covers_more: (pages) => `ほか ${pages} ページ`,
  covers_incomplete: (pages) => `応答が長くなりすぎるため、ポータルは ${pages} ページを省きました。`,
  covers_no_changes: (range) =>
    `git で ${range} を比べられません。両方のコミットを取得しているか（fetch-depth: 0 など）を確かめてください。`,
  covers_unreachable: (host, reason) => `${host} に接続できません（${reason}）。`,
  covers_refused: (host) =>
    `${host} がトークンを受け付けません。期限切れか、取り消し済みか、アカウントのページで作ったトークンではありません。`,
  covers_status: (host, status) => `${host} の応答は ${status} でした。`,
  no_origin: '--origin か SEKISHO_ORIGIN にポータルのアドレス（https://…）を指定してください。',
  no_edition: '全員が読めるエディションがありません。',
  nothing_below: (path) => `${path} の下にページがありません。--below に別のパスを指定してください。`,
}

/** Text of the index for agents, in the language of its site. */
export const agentsIndex: typeof enIndex = {
  when: (name) =>
    `社内の手順、規約、設計の理由、運用の決まりが書かれています。推測する前に、MCP サーバー \`${name}\` の search で 2～3 語を調べ、fetch で読んでください。`,
  connect: 'つないでいないとき',
  tools: '見つからないときは list で一覧を見られます。読めるのは、ログインした人が読めるページだけです。',
  pages: 'ページ',
}
