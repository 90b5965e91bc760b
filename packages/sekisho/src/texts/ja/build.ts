import type { build as en, editions as enEditions } from '../en/build.ts'

export const build: typeof en = {
  edition_markdown_files: (name, pages) => `エディション ${name}（Markdown ${pages} 件）`,
  site_build_failed: (outcome) =>
    `サイトを作れませんでした（${outcome}）。理由は上に表示したとおりです。配信中のものは変わっていません。`,
  building_site: (indent, name) => `${indent}サイトを作っています ${name}`.trimEnd(),
  built_site: (indent) => `${indent}サイトのファイルができました`,
  building_locales: (indent) => `${indent}次の言語でサイトを作ります`,
  starting_site: (indent) => `${indent}サイトを読み込んでいます`,
  site_is_shown: (indent, address) => `${indent}${address} で表示できます`,
  site_is_current: (indent) => `${indent}保存した内容を反映しました`,
  grantable:
    'ゲートのコンテンツポリシーにより、次のものは読者に届きません。ファイルをサイトに置くか、運用者が許可してください:',
  never:
    'ゲートのコンテンツポリシーにより、次のものは読者に届きません（許可できません。ページから外してください）:',
  lost: '次の転送は、行き先がサイトのページやファイルではないので働きません:',
  unnamed_html: (paths, others) =>
    `次のファイルは HTML ですが、名前に拡張子がないかページの拡張子でないため、読者は保存することしかできません。名前の末尾を .html に変え、リンクも直してください:\n${paths.map((path) => `  ${path}`).join('\n')}${others > 0 ? `\n  ほか ${others} 件` : ''}`,
  measures: '次のものは読者の行動を計測するので、許可を提案しません。設定かページから外してください:',
  proposal:
    'すべて許可するときは sekisho.env に次の行を書きます。それらやプラグインがさらに読み込むと知られているものを含みます（影響は sekisho check が示します）:',
  seen: '見たのはページとスタイルシートです。スクリプトが動いてから求めるものは含みません（sekisho check --browser が調べます）。',
  in: (from, to, source) => `  ${from} → ${to}（${source}）`,
  more_redirects: (others) => `  ほか ${others} 件`,
  more_pages: (others) => ` ほか ${others} ページ`,
  on: (what, named, more) => `  ${what}（${named}${more}）`,
  build_help: (dataDir) => `使い方: sekisho build [--site DIR] [--data-dir DIR] [--force] [--watch]

サイトを作り、リリースにまとめて公開します。公開先はデータフォルダー、または SEKISHO_RELEASES が示す場所
（バケット、共有フォルダー）です。動いているゲートは 2 秒以内に切り替わります。
前回から何も変わっていなければ、何も作らず、公開も変えません。

  --site DIR      Docusaurus のサイト（既定: 今いるフォルダーのサイト、または下にある 1 つ）
${dataDir}
  --force         何も変わっていなくても作って公開する
  --watch         止めるまで、編集のたびに作って公開する（パッケージを入れたときは起動し直してください）
  --help          この説明を表示する`,
  edition_changes: (name, { gained, lost }, [more, less]) =>
    `  エディション ${name}: ${more} ページ増、${less} ページ減${[...gained.map((path) => `\n    + ${path}`), ...lost.map((path) => `\n    - ${path}`)].join('')}`,
  edition_widened: (name, paths) =>
    `⚠ エディション ${name} で、これまで限定されていたものが見えるようになります: ${paths.join('、')}`,
  packing_release: 'リリースにまとめています',
  watching: (dir) => `${dir} の編集を待っています`,
  publishing_to: (place) => `${place} に公開しています`,
  files_new: (sent) => `  新しいファイル ${sent} 件を送りました`,
  published_concurrently: (id, place) =>
    `この間に別の人が公開しました。リリース ${id} は ${place} にありますが、配信されていません。配信するには: sekisho releases rollback ${id}`,
  build_unchanged: (releaseId, files) =>
    `変わったものはありません。リリース ${releaseId}（${files} ファイル）が最新です。`,
  served_after_rollback: (id, releaseId) =>
    `切り戻されているため、${id} を配信中です。最新を配信するには: sekisho releases rollback ${releaseId}`,
  files: (done, total) => `  ${total} ファイル中 ${done}`,
  release_unchanged: (id) => `リリース ${id} と同じ内容なので、それを再び配信します。`,
  release_published: (id) => `リリース ${id} を公開しました。`,
  pages_files_mb: (pages, files, megabytes) => `  ${pages} ページ、${files} ファイル、${megabytes} MB`,
  built_in_s: (built, packed, compressed) =>
    `  ビルド ${built} 秒、まとめるのに ${packed} 秒（新しく圧縮したもの ${compressed}）`,
  broken_link: (place, target) =>
    `${place} のリンク先 ${target} がありません。リンクを直すか、そのページを作ってください。`,
  broken_anchor: (place, target) =>
    `${place} のリンク先 ${target} に、# の後の見出しがありません。リンクか、見出しの id を直してください。`,
  with_history: (broken, became) => `${broken} ${became}`,
  duplicate_route: (route, files) =>
    `${route} になるページが 2 つ以上あります${files.length > 1 ? `（${files.join('、')}）` : ''}。フロントマターの slug かファイル名を変えてください。`,
  duplicate_id: (filesCount, id, files) =>
    `id「${id}」のページが ${filesCount} つあります（${files.join('、')}）。フロントマターの id かファイル名を変えてください。`,
  wrong_front_matter: (file, reason) => `${file}: フロントマターを直してください。\n  - ${reason}`,
  front_matter_yaml: (place, reason) =>
    `${place}: フロントマターを YAML として読めません（${reason}）。コロンや # を含む値は引用符で囲み、フロントマターの終わりに --- の行を置いてください。`,
  sidebar_ids: (file, ids, known) => `${file}: id が ${ids} の文書がありません。使える id: ${known}`,
  category_file: (file, reason) => `${file} を読めません: ${reason}`,
  sidebar_file: (file, reason) => `${file} を直してください: ${reason}`,
  no_yaml: (file, reason) =>
    `${file} を YAML として読めません（${reason}）。字下げと引用符を確認してください。`,
  unknown_author: (file, key, known) =>
    `${file}: 著者「${key}」がいません。使える著者: ${known}。authors.yml に書き足すか、名前を直してください。`,
  author_entry: (key) =>
    `authors.yml の著者「${key}」に名前がありません。name か image_url を書いてください。`,
  inline_author: (file, map) =>
    `${file}: 著者が ${map} にありません。${map} に書き足し、ここにはそのキーを書いてください。`,
  unknown_tags: (tags, file, map) =>
    `${file}: タグ ${tags} が ${map} にありません。${map} に書き足すか、名前を直してください。`,
  config_fields: (names, file) =>
    `${file} に Docusaurus の知らない項目があります: ${names}。つづりを確認してください。独自の項目は customFields に書きます。`,
  config_value: (reason) => `docusaurus.config の項目を直してください: ${reason}`,
  config_syntax: (_file, reason, place) =>
    `${place} を読めません（${reason}）。この行か前の行に、コンマや括弧の抜けがないか確認してください。`,
  plugin_option: (reason) =>
    `docusaurus.config のプラグイン、テーマ、プリセットのどれかのオプションを直してください: ${reason}`,
  no_plugin: (name) =>
    `「${name}」がインストールされていません。docusaurus.config の名前を確認するか、npm install ${name} を実行してください。`,
  sidebar_path: (file) =>
    `docusaurus.config の sidebarPath にある ${file} がありません。ファイル名とフォルダーを確認してください。`,
  navbar_sidebar: (id, known) =>
    `ナビゲーションバーの項目が、存在しないサイドバー「${id}」を指しています。使えるサイドバー: ${known}`,
  navbar_type: (type) =>
    `「${type}」はナビゲーションバーの項目の種類ではありません。docusaurus.config の themeConfig.navbar.items を確認してください。`,
  must_be: (name, type) =>
    type === 'object'
      ? '「キー: 値」の形で書いてください。コロンは半角で、後ろに半角の空白を置きます。'
      : `${name} は${{ number: '半角の数値', 'valid date': ' 2026-01-31 のような日付', boolean: ' true か false ', array: 'リスト（例: [a, b]）' }[type] ?? '文字列'}にしてください。`,
  must_be_one_of: (name, values) => `${name} は ${values} のどれかにしてください。`,
  no_url: (url) => `「${url}」は https://docs.example.co.jp のような URL にしてください。`,
  url_with_path: (path) => `url にパスは書けません。${path}/ は baseUrl に書いてください。`,
  not_allowed: (name) => `${name} という項目はありません。つづりを確認してください。`,
  is_required: (name) => `${name} がありません。書き足してください。`,
  impossible_day: (place, day) =>
    `${place}: ファイル名の日付 ${day} は暦にありません。ファイル名を直してください。`,
  unused_directive: (place, name) =>
    `${place}: ${name} という記法はないので、書いたとおりに表示されます。名前を確認するか、: の前に \\ を置いてください。`,
  no_module: (place, name) =>
    `${place}: ${name} が見つかりません。import のパスを確認するか、パッケージをインストールしてください。`,
  unknown_component: (place, name) =>
    `${place}: <${name}> というコンポーネントがありません。import するか、名前を直してください。文字として書くには \\<${name}> とします。`,
  tabs_child: (place) =>
    `${place}: <Tabs> の中には <TabItem> だけを置けます。文字は <TabItem value="…" label="…"> … </TabItem> の中に書いてください。`,
  undefined_name: (place, name) =>
    `${place}: { } の中の「${name}」が定義されていません。定義か import を書いてください。文字として書くには \\{ とします。`,
  style_text: (place) =>
    `${place}: style には文字列ではなくオブジェクトを書きます（例: style={{ color: 'red' }}）。`,
  page_failed: (place, reason) =>
    `${place}: ページを表示できません（${reason}）。import、コンポーネント、{ } の中を確認してください。`,
  not_installed: (dir) =>
    `${dir} に Docusaurus がありません。先にサイトのパッケージをインストールしてください（npm、pnpm、または Yarn の node-modules リンカー）`,
  build_running: (pid) => `ここでは別の sekisho build が動いています（プロセス ${pid}）。`,
  build_begun: 'ここでは、別の sekisho build が始まったところです。',
}

export const editions: typeof enEditions = {
  in_file: (file, problem) => `${file}: ${problem}`,
  name_form: '英小文字、数字、ハイフンで 40 文字まで',
  label_form: '40 文字まで',
  same_name: (name) => `${name} という名前のエディションが 2 つあります。`,
  no_last:
    '最後のエディションは、入れる人すべてのためのエディションです。audiences を空（"audiences": []）にしてください。',
  edition_unreachable: (name, earlier) =>
    `エディション ${name} は、だれにも届きません。読める人は先に ${earlier} を受け取るので、${earlier} より前に書いてください。`,
  unknown_audience: (where, audience) => `${where}: 読者 ${audience} のいるエディションがありません。`,
  unknown_in_page: (place, audience, known) =>
    `${place}: 読者 ${audience} のいるエディションがありません。書けるのは ${known.join('、')} です。`,
  front_matter_language: (place, language) =>
    `${place}: フロントマターは YAML で書いてください。「${language}」からは、だれが読めるページかを読み取れません。`,
  like_audience: (place, key) =>
    `${place}: 「${key}」は、ページの読者を限定しません。読者を限定するには、フロントマターのいちばん上の階層に audience: 名前 と書いてください。`,
  like_audience_meta: (place, key) =>
    `${place}: 「${key}」は、ページの読者を限定しません。<meta name="audience" content="名前"> と書いてください。`,
  audience_twice: (place) => `${place}: audience が 2 回書かれています。`,
  front_matter_not_first: (place) =>
    `${place}: このブロックは、フロントマターとして読まれません。フロントマターは 1 行目の --- で始めてください。`,
  front_matter_unclosed: (place) => `${place}: フロントマターが閉じていません。--- の行で閉じてください。`,
  front_matter_unread: (place) =>
    `${place}: フロントマターを YAML として読めないため、ページの読者が分かりません。`,
  audience_repeated: (name, where) => `${name}: 読者が 2 か所以上で決められています: ${where.join('、')}`,
  unused_glob: (rule) => `${rule}: 当てはまるファイルがないので、このルールは何もしません。`,
  unclear_translation: (name, originals) =>
    `${name}:1: ${originals.join(' と ')} のどちらの翻訳かわからず、読者も違います。このファイルにも audience を書いてください。`,
  names_narrower: (place, name, audiences, edition) =>
    `${place}: ${name} を参照していますが、読めるのは ${audiences.join('、')} だけです。エディション ${edition} には、参照先なしでこのファイルが入ります。`,
  unread_file: (name, audience, edition) =>
    `${name}: 形式が対応外か 128 MB を超えるため、中身を確認できません。${audience} だけが読めるページを含むおそれがありますが、エディション ${edition} に入ります。"paths" に読者を書くか、全員に見せてよければ "shared" に書いてください。`,
  category_moves: (label, names) =>
    `${names.join('、')}: どのフォルダーも「${label}」という名前で、一部のエディションにないものがあります。アドレスの番号がエディションごとに変わるので、link に "slug" を書いてください。`,
  two_globs: (name, globs) => `${name} の読者を、次の複数の指定が決めています: ${globs.join('、')}`,
  described_by_hand: (file) =>
    `${file} は手で書かれていて、すべての人のページを挙げています。エディションごとに作るので、消してください。`,
  rules_in_published_folder: (file) =>
    `${file} が、読者に届くフォルダーの中にあります。コマンドを実行するフォルダーに移してください。`,
}
