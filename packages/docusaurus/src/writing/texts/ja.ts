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
    not_of_edition: (page, audience) =>
      `${page} は ${audience} だけのページなのに、ほかの読者のエディションに入ります。読者（audience）は、サイトのフォルダーにあるページの YAML のフロントマターに書いてください。`,
  },
  search: {
    without_vectors: (pages, problem) =>
      `${pages} ページは言葉だけで検索されます。search.embeddings のエンドポイントからベクトルを受け取れませんでした（${problem}）。次のビルドでもう一度問い合わせます。`,
  },
}
