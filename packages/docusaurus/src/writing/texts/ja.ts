import type { en } from './en.ts'

export const ja: typeof en = {
  problems: {
    misspelt_admonition: (place, name, meant) =>
      `${place} の :::${name} は :::${meant} の書き間違いではありませんか。`,
    shared_heading_id: (file, number, id, first) =>
      `${file}:${number} の見出しの id「${id}」は ${first} 行目でも使われています。どちらかを変えてください。`,
    open_block: (file, number, text) =>
      `${file}:${number} の ${text} が閉じられていません。囲みの終わりの行に「:::」だけを書いてください。`,
    stray_end: (file, number) =>
      `${file}:${number} の「:::」に対応する始まりがありません。囲みを入れ子にするときは、外側のコロンを増やしてください（例: ::::note）。`,
    broken_markdown_link: (place, url) =>
      `${place} のリンク先 ${url} が見つかりません。ファイル名とフォルダーを確認してください。`,
  },
  editions: {
    outside_site: (folder) =>
      `エディションのあるサイトの文書は、サイトのフォルダーの中に置いてください。${folder} は外にあるので、ページを読者ごとに分けられません。`,
    audience_mismatch: (page, audience) =>
      `${page} は ${audience} だけのページなのに、ほかの読者のエディションに入ります。読者（audience）は、サイトのフォルダーにあるページの YAML のフロントマターに書いてください。`,
  },
  search: {
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
    tools: (known) => `tools には ${known} だけを、それぞれ true か false で指定してください`,
    light_pages: (known) => `lightPages は ${known} から選んだリストにしてください`,
    code_languages: 'codeLanguages は "listed" か "all" にしてください',
    bundle_together: 'bundleTogetherBelow はページの数（0 以上の整数）にしてください',
    search: (problem) => `search: ${problem}`,
    openapi_file: 'file には OpenAPI の定義ファイルを、サイトのフォルダーからのパスで指定してください',
    openapi_id: 'id は "openapi" で始めてください',
  },
}
