import type { agents as en, agentsIndex as enIndex } from '../en/agents.ts'

export const agents: typeof en = {
  agents_md_help: (dataDir) => `使い方: sekisho agents-md [--origin URL] [--below PATH] [--data-dir DIR]

コードのリポジトリの AGENTS.md に貼る短い索引（8 KB 以内）を表示します。何が書かれているか、いつ調べるか、つなぎ方の 1 行です。
全員が読めるエディションのページだけが載ります。

  --origin URL    ポータルのアドレス（既定: SEKISHO_ORIGIN）
  --below PATH    このパスの下のページだけを載せる（例: /docs/payments/）
${dataDir}
  --help          この説明を表示する`,
  no_origin: '--origin か SEKISHO_ORIGIN にポータルのアドレス（https://…）を指定してください。',
  no_edition: '全員が読めるエディションがありません。',
  nothing_below: (path) => `${path} の下にページがありません。--below に別のパスを指定してください。`,
}

/** What the index says to agents, in the language of its site. */
export const agentsIndex: typeof enIndex = {
  when: (name) =>
    `社内の手順、規約、設計の理由、運用の決まりが書かれています。推測する前に、MCP サーバー \`${name}\` の search で 2～3 語を調べ、fetch で読んでください。`,
  connect: 'つないでいないとき',
  tools: '見つからないときは list で一覧を見られます。読めるのは、サインインした人が読めるページだけです。',
  pages: 'ページ',
}
