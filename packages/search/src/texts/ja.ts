import type { en } from './en.ts'

export const ja: typeof en = {
  embeddings: {
    answered: (status) => `応答は ${status}`,
    refused: (page, said) => `${page} のテキストを受け付けませんでした：${said}`,
    too_slow: '時間内に応答なし',
    unreachable: '接続できません',
    no_json: '応答が JSON ではありません',
    other_vectors: '応答のベクトルの数や長さが、送ったテキストと合いません',
  },
  vocabulary: {
    not_right: (where) => `検索の語彙${where === '' ? '' : `（${where}）`}に誤りがあります。`,
    not_an_object: '語彙は words、synonyms、embeddings を持つオブジェクトにしてください',
    unknown_key: (key) => `「${key}」という項目はありません。使えるのは words、synonyms、embeddings です`,
    words_list: (most) => `words は { name, reading } のリスト（最大 ${most} 件）にしてください`,
    word: (at, length) => `words[${at}] は { name, reading } とし、どちらも ${length} 文字以内にしてください`,
    not_kana: (at, name, reading) =>
      `words[${at}] の「${name}」の読みは、「${reading}」ではなく、かなで書いてください`,
    word_twice: (at, name) => `words[${at}] の「${name}」が重複しています`,
    synonyms_list: (most) =>
      `synonyms は ["議事録", "ミーティングメモ"] のような組のリスト（最大 ${most} 組）にしてください`,
    group: (at, most, length) =>
      `synonyms[${at}] は 2 語から ${most} 語とし、各語を ${length} 文字以内にしてください`,
    group_twice: (at) => `synonyms[${at}] に同じ語が 2 回あります`,
    embeddings:
      'embeddings は { url, model } としてください。url は「https://ai.example.com/v1/embeddings」のような http または https のアドレス（ユーザー名とパスワードは入れない）、' +
      'model はモデルの名前です。queryPrefix と documentPrefix に文字列を、maxCharacters に 100 から 100000 までの整数を指定することもできます',
  },
}
