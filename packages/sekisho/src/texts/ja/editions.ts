import type { editions as en } from '../en/editions.ts'

export const editions: typeof en = {
  in_file: (file, problem) => `${file}: ${problem}`,
  name_form: '英小文字、数字、ハイフンで 40 文字まで',
  label_form: '40 文字まで',
  same_name: (name) => `${name} という名前のエディションが 2 つあります。`,
  no_last:
    '最後のエディションは、入れる人すべてのためのエディションです。audiences を空（"audiences": []）にしてください。',
  never_got: (name, earlier) =>
    `エディション ${name} は、だれにも届きません。読める人は先に ${earlier} を受け取るので、${earlier} より前に書いてください。`,
  unknown_audience: (where, audience) => `${where}: 読者 ${audience} のいるエディションがありません。`,
  unknown_in_page: (place, audience, known) =>
    `${place}: 読者 ${audience} のいるエディションがありません。書けるのは ${known.join('、')} です。`,
  front_matter_language: (place, language) =>
    `${place}: フロントマターは YAML で書いてください。「${language}」からは、だれが読めるページかを読み取れません。`,
  said_twice: (name, where) => `${name}: 読者が 2 か所以上で決められています: ${where.join('、')}`,
  unused_glob: (glob) => `paths ${glob}: 当てはまるファイルがないので、何も隠されません。`,
  unclear_translation: (name, originals) =>
    `${name}:1: ${originals.join(' と ')} のどちらの翻訳かわからず、読者も違います。このファイルにも audience を書いてください。`,
  names_narrower: (place, name, audiences, edition) =>
    `${place}: ${name} を参照していますが、読めるのは ${audiences.join('、')} だけです。エディション ${edition} には、参照先なしでこのページが入ります。`,
  two_globs: (name, globs) => `${name} の読者を、次の複数の指定が決めています: ${globs.join('、')}`,
  described_by_hand: (file) =>
    `${file} は手で書かれていて、すべての人のページを挙げています。エディションごとに作るので、消してください。`,
  rules_within: (file) =>
    `${file} が、読者に届くフォルダーの中にあります。コマンドを実行するフォルダーに移してください。`,
}
