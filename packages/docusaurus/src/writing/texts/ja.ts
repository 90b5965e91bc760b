import type { en } from './en.ts'

export const ja: typeof en = {
  problems: {
    misspelt_admonition: (place, name, meant) =>
      `${place} の :::${name} は :::${meant} の書き間違いではありませんか。`,
    not_utf8: (place) =>
      `${place} の文字を UTF-8 として読めません。エディターで文字コードを UTF-8 にして保存し直してください。`,
    address: (file, address) =>
      `${file} のアドレス ${address} には、サーバーによって読み方が違う文字（% など）があります。ファイル名から + & = @ , : $ ; # ? % を除いてください。`,
    shared_heading_id: (file, number, id, first) =>
      `${file}:${number} の見出しの id「${id}」は ${first} 行目でも使われています。どちらかを変えてください。`,
    late_front_matter: (file) =>
      `${file}: フロントマターは 1 行目の --- から始め、--- で終えてください。今は本文として表示されます。`,
    shown_as_typed: (place, text) =>
      `${place} の「${text}」は記号として読まれず、そのまま表示されます。記号を半角にし、空白の有無を確認してください（太字は前後に半角の空白を置くと読まれます）。`,
    own_computer: (place, address) =>
      `${place} のリンク先 ${address} は、あなたのコンピューターの中だけにあります。相対パスか URL にしてください。`,
    open_block: (file, number, text) =>
      `${file}:${number} の ${text} が閉じられていません。囲みの終わりの行に「:::」だけを書いてください。`,
    open_fence: (file, number, fence) =>
      `${file}:${number} のコードブロックが閉じられていません。終わりの行に ${fence} だけを書いてください。`,
    heavy_image: (place, image, megabytes) =>
      `${place}: 画像 ${image} が ${megabytes} MB あり、ページの読者全員が読み込みます。5 MB より小さくしてください。`,
    broken_formula: (place, reason) => `${place}: この数式を KaTeX で読めません。${reason}`,
    broken_diagram: (place, reason) => `${place}: この図を Mermaid で描けません。${reason}`,
    diagram_unshown: 'この図は表示できません。図のもとの記述を示します。',
    formula_unshown: 'この数式は表示できません：',
    stray_end: (file, number) =>
      `${file}:${number} の「:::」に対応する始まりがありません。囲みを入れ子にするときは、外側のコロンを増やしてください（例: ::::note）。`,
    translations_shallow: (pages) =>
      `翻訳した ${pages} ページを原文と比べられませんでした。この複製には新しいコミットしかありません。すべての履歴を取得してください（GitHub Actions は fetch-depth: 0、GitLab は GIT_DEPTH: 0）。`,
    translations_no_history: (pages) =>
      `翻訳した ${pages} ページを原文と比べられませんでした。Git の履歴を読めないか、64 MB を超えています。`,
    page_moved: (to, day) => `${day} に移動し、現在は ${to} です。`,
    page_removed: (day) => `${day} に削除されています。`,
    heading_renamed: (to, day) => `見出しは ${day} に変わり、現在は ${to} です。`,
    heading_removed: (day) => `見出しは ${day} に削除されています。`,
    broken_markdown_link: (place, url) =>
      `${place} のリンク先 ${url} が見つかりません。ファイル名とフォルダーを確認してください。`,
  },
  mdx: {
    unread: (place, advice, reason) => `${place} を読めません。${advice}\n  （${reason}）`,
    unread_otherwise: (place, reason) => `${place} を読めません: ${reason}`,
    void_tag: (of) => `\`.mdx\` では \`<${of}>\` を \`<${of} />\` と書いてください。`,
    no_image: (of) =>
      `画像 ${of} がありません。画像をページと同じフォルダーか static フォルダーに置き、名前の大文字と小文字も確認してください。`,
    open_tag: (of) =>
      `\`<${of}>\` が閉じられていません。\`</${of}>\` を書き足すか、1 つで完結する要素なら \`<${of} />\` と書いてください。`,
    stray_end_tag: () =>
      '開始タグのない終了タグがあります。対応する開始タグを書くか、終了タグを消してください。',
    comment: () =>
      '`.mdx` では `<!-- -->` を使えません。`{/* コメント */}` と書くか、ファイル名を `.md` にしてください。',
    autolink: () =>
      '`.mdx` では `<https://…>` を使えません。`[文字](https://…)` と書くか、ファイル名を `.md` にしてください。',
    less_than: () =>
      '`<` がタグの始まりとして読まれました。文字として書くには `\\<` か `&lt;` とするか、`` ` `` で囲んでください。',
    lazy_line: () =>
      '`{ }` が途中の行で切れています。引用や箇条書きの中では、続きの行も同じ深さにしてください。',
    expression: () =>
      '`{ }` または import の中を JavaScript として読めません。文字として書くには `\\{` とするか、`` ` `` で囲んでください。',
    md_instead: 'ファイル名が `.md` なら、そのまま書けます。',
    heading_id: '見出しの id は、ここでは `{/* #id */}` と書きます。',
  },
  frontMatter: {
    not_right: (place) => `${place}: フロントマターを直してください。`,
    missing: (name, want) => `${name} がありません。先頭の「---」の間に書いてください: ${want}`,
    wrong: (line, name, want) => `${line} 行目の ${name} は${want}にしてください。`,
    misspelt: (line, name, meant) => `${line} 行目の ${name} は ${meant} の書き間違いではありませんか。`,
    misspelt_in: (place, name, meant) => `${place} の ${name} は ${meant} の書き間違いではありませんか。`,
    audience_unused: (file, pages) =>
      `${file} は audience を指定していますが（同様のページ: ${pages} 件）、sekisho.editions.json がないため、閲覧は制限されません。`,
    no_yaml: (reason) =>
      `YAML として読めません（${reason}）。値に「: 」や「#」があるときは、全体を ' で囲んでください。`,
    title: '文字列（例: title: 検索の使い方）',
    description: '文字列（例: description: 検索の開き方を紹介します。）',
    sidebar_label: '文字列',
    slug: '文字列（例: slug: /guide）',
    sidebar_position: '数（例: sidebar_position: 2）',
    keywords: '文字列のリスト（1 つ以上。例: keywords: [検索, 絞り込み]）',
    tags: 'リスト（例: tags: [検索]）',
    flag: 'true か false',
  },
  openapi: {
    not_right: 'OpenAPI の定義を直してください。',
    explained: (advice, message) => `${advice}（${message}）`,
    missing_field: (of) => `${of} がありません。書き足してください。`,
    unexpected: (of) => `${of} はここには書けません。つづりと字下げを確認してください。`,
    one_of: (of, known) => `${of} には ${known} のどれかを書いてください。`,
    other_type: (of, found) => `${of} を書くところに ${found} があります。`,
    no_ref: '$ref の先がありません。名前と場所を確認してください。',
    path_parameter: (of) => `パスパラメーター ${of} を parameters に書いてください。`,
    unused_parameter: (of) =>
      `パスパラメーター ${of} がパスにありません。パスに書くか、parameters から消してください。`,
    same_operation_id: 'operationId がほかの操作と同じです。別の名前にしてください。',
    swagger: (file, version) =>
      `${file}: Swagger ${version} の定義は読めません。OpenAPI 3.0 以上に変換してください（例: npx swagger2openapi）。`,
    no_library:
      'OpenAPI の定義を読むライブラリーがありません。サイトのフォルダーで npm install --save-dev @redocly/openapi-core openapi-sampler を実行してください。',
    no_file: (file) =>
      `${file} がありません。設定の file に、サイトのフォルダーから見た OpenAPI の定義の場所を書いてください。`,
    no_yaml: (file, line, message) =>
      `${file}:${line}: YAML または JSON として読めません。字下げと引用符を確認してください。（${message}）`,
    no_openapi: (file, message) =>
      `${file}: OpenAPI の定義として読めません。先頭に openapi: 3.1.0 のような版が要ります。（${message}）`,
  },
  editions: {
    outside_site: (folder) =>
      `エディションのあるサイトの文書は、サイトのフォルダーの中に置いてください。${folder} は外にあるので、ページを読者ごとに分けられません。`,
    audience_mismatch: (page, audience) =>
      `${page} は ${audience} だけのページなのに、ほかの読者のエディションに入ります。読者（audience）は、サイトのフォルダーにあるページの YAML のフロントマターに書いてください。`,
  },
  search: {
    related: '関連ページ',
    left_out: (total, unlisted, byField, ofKind) =>
      `検索に入れなかったページ: ${total} ページ（unlisted ${unlisted}、search: false ${byField}、searched の設定 ${ofKind}）`,
    without_vectors: (pages, problem) =>
      `${pages} ページは言葉だけで検索されます。search.embeddings のエンドポイントからベクトルを受け取れませんでした（${problem}）。次のビルドでもう一度問い合わせます。`,
  },
  options: {
    searched: 'searched には docs、blog、pages だけを、それぞれ true か false で指定してください',
    not_right: 'sekisho/docusaurus のオプションに誤りがあります。',
    openapi_not_right: 'sekisho/openapi のオプションに誤りがあります。',
    unknown_key: (key, known) => `「${key}」というオプションはありません。使えるのは ${known} です`,
    id: 'id は文字列にしてください',
    redirects_list: 'redirects は { from, to } のリストにしてください',
    redirect: (at) => `redirects[${at}] は { from, to } だけにしてください`,
    redirect_paths: (at) =>
      `redirects[${at}] の from と to は「/docs」のようなこのサイトのパスとし、クエリとハッシュを付けないでください`,
    redirect_circle: (at) => `redirects[${at}] の転送先が自分自身です`,
    color_mode: 'initialColorMode は "light"、"dark"、"system" のどれかにしてください',
    recent_changes: (most) => `recentChanges は 0 から ${most} までの整数にしてください`,
    related_pages: 'relatedPages は true か false にしてください',
    tools: (known) => `tools には ${known} だけを、それぞれ true か false で指定してください`,
    light_pages: (known) => `lightPages は ${known} から選んだリストにしてください`,
    code_languages: 'codeLanguages は "listed" か "all" にしてください',
    code_owners: 'codeOwners は "metadata" か "all" にしてください',
    bundle_together: 'bundleTogetherBelow はページの数（0 以上の整数）にしてください',
    search: (problem) => `search: ${problem}`,
    openapi_file: 'file には OpenAPI の定義ファイルを、サイトのフォルダーからのパスで指定してください',
    openapi_id: 'id は "openapi" で始めてください',
  },
}
