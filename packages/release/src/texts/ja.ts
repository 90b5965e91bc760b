import type { en } from './en.ts'

export const ja: typeof en = {
  release: {
    other_answer: (place) => `${place} から、要求したものとは別の応答が返りました。`,
    no_release: (place, id) => `${place} にリリース ${id} がありません。`,
    lacks_file: (place, file, id) => `${place} に、リリース ${id} の ${file} がありません。`,
    release_lacks_file: (id, file) => `リリース ${id} に ${file} がありません。`,
    file_not_found: (file, id) => `リリース ${id} の ${file} がありません。`,
    release_lost_files:
      '削除している間に別のリリースが公開され、共有していたファイルが失われました。もう一度公開してください。',
    file_removed_meanwhile: (file) =>
      `${file} は、公開している間に削除されたリリースと一緒に失われました。もう一度公開してください。`,
    broke_off: (place, sha256) => `${place} から ${sha256} を取得している途中で接続が切れました。`,
    unreachable: (place, reason) => `${place} に接続できません（${reason}）。`,
    answered: (status) => `応答は ${status}`,
    refused: (place, what, reason) => `${place} に${what}を拒否されました（${reason}）。`,
    bucket_act_list: '一覧の取得',
    bucket_act_read: (key) => ` ${key} の読み取り`,
    bucket_act_write: (key) => ` ${key} の書き込み`,
    bucket_act_remove: (key) => ` ${key} の削除`,
    no_reason: (status) => `${status}、理由の記載なし`,
    answer_broke_off: (reason) => `バケットの応答が途中で切れました（${reason}）。`,
    answer_too_large: 'バケットの応答が大きすぎます。',

    no_manifest: (id) => `リリース ${id} の manifest.json を読めません。`,
    other_manifest: (id) => `リリース ${id} の manifest.json が、公開したときのものと違います。`,
    manifest_file_too_large: (id) => `リリース ${id} の manifest.json が大きすぎます。`,
    no_release_id: (text) => `${text} はリリースの ID ではありません。`,
    bad_pointer: (pointer) => `${pointer} の内容がリリースの ID ではありません。`,
    bad_pointer_in: (place) => `${place} にあるポインターの内容が、リリースの ID ではありません。`,
    other_content: (file) => `${file} の内容が、マニフェストの記録と違います。`,
    other_stored_bytes: (sha256) => `内容が、マニフェストの記録と違います（${sha256}）。`,

    manifest_too_large: 'マニフェストが大きすぎます。',
    manifest_hash_mismatch: 'マニフェストの内容が、そのハッシュと合いません。',
    other_bytes: (sha256) => `内容が ${sha256} と合いません。`,
    part_not_there: (part, sha256) => `${sha256} の ${part} 番目の部分がありません。`,
    unpacks_to_other: (name) => `${name} を展開しても、元のファイルになりません。`,
    bad_delivery: (path, type, delivery) => `${path}: ${type} を ${delivery} として配信できません。`,
    too_large_to_compress: (path) => `${path} は大きすぎるので、圧縮できません。`,
    nested_too_deep: (max) => `マニフェストのリストとオブジェクトの入れ子が ${max} 段を超えています。`,
    too_many_names: (max) =>
      `マニフェストのエディション、閲覧対象、表示名、言語、検索インデックスが、合わせて ${max} 個を超えています。`,
    too_many_files: (max) => `マニフェストのファイルとリダイレクトが、合わせて ${max} 個を超えています。`,
    index_refused: (name, problem) => `検索インデックス ${name} を受け取れません：${problem}`,
    no_smaller: (path, encoding) => `${path} は ${encoding} にしても小さくなっていません。`,
    cache_forbidden: (path) =>
      `${path} はブラウザーに保存させられません。名前から内容が決まらないファイルです。`,

    readers_list_too_long: '読者の一覧が長すぎます。ドメインを指定するか、アドレスを減らしてください。',
    previews_contended: (place) =>
      `${place} のプレビューの一覧が、ほかから変更され続けています。もう一度実行してください。`,
    bad_preview_name: (name) =>
      `${name} はプレビューの名前に使えません。a-z、0-9 と 1 個ずつのハイフンで 3〜40 文字にし、ハイフンで始めたり終えたりしないでください。`,
    preview_taken: (name) =>
      `プレビュー ${name} はほかの発行者のものです。別の名前にするか、sekisho previews remove で削除してもらってください。`,
    previews_full: (count) =>
      `プレビューがもう ${count} 件あります。sekisho previews list で確認し、どれかを削除してください。`,
    own_previews_full: (count) =>
      `この発行者のプレビューがもう ${count} 件あります。sekisho previews list で確認し、どれかを削除してください。`,

    no_edition: 'リリースにするエディションがありません。',
    foreign_edition_named: (path, edition, target, other) =>
      `${path}（エディション ${edition}）から、エディション ${other} だけにある ${target} にリンクしています。`,
    same_path: (one, other, path) => `${one} と ${other} のパスがどちらも ${path} になります。`,
    page_without_file: (path, file) => `ページ ${path} のファイル ${file} がビルドにありません。`,
    page_path: (path, problem) => `ページ ${path}: ${problem}`,
    redirect_path: (path, problem) => `リダイレクト元 ${path}: ${problem}`,
    file_name: (name, problem) => `${name}: ${problem}名前を変えてください。`,
    undecodable: (name) =>
      `${name} に、宣言された文字コードでは読めない部分があるか、文字コードがわかりません。UTF-8 で保存してください。`,
    symbolic_link: (name, target) =>
      `${name} は ${target} へのシンボリックリンクです。コピーか、転送するページを置いてください（mike では --alias-type=redirect か copy）。`,
    special_file: (name) => `${name} は普通のファイルではありません。`,
    replaced_by_nothing: (path, target) =>
      `${path} の replaced-by に書かれた ${target} は、同じエディションのページではありません。`,
    misplaced_locale: (folder, baseUrl, wanted) =>
      `${folder} の言語のサイトは ${baseUrl} 以下で配信されます。${wanted} にしてください。`,
    no_site_json: (file, buildDir) =>
      `${buildDir} に ${file} がありません。サイトの設定の themes に 'sekisho/docusaurus' が入っていないためです。npx --no-install sekisho init で追加できます。`,

    no_slash: 'スラッシュで始まっていません。',
    forbidden_character: '見えない文字、制御文字、または復号できない文字があります。',
    not_composed: 'Unicode NFC（合成済み）の形になっていません。',
    ambiguous_character: '\\ % ? # ; のどれかがあります。URL での読み方がサーバーによって違う文字です。',
    empty_segment: '空の区切り（//）があります。',
    dot_segment: '「.」か「..」だけの区切りがあります。',
    no_canonical_form: 'URL のパスとして 1 通りに書けません。',
    reserved: 'ゲートが自分で使う名前か、それで始まる名前です。',

    above_maximum: (count) => `${count} 件までにしてください。`,
    name_twice: '同じ名前が 2 度あります。',
    removed_key: '"isRemoved" というキーは使えません。',
    preview_name:
      'a-z、0-9 と 1 個ずつのハイフンで 3〜40 文字にし、ハイフンで始めたり終えたりしないでください。',
    preview_end: 'createdAtMs より後の、90 日以内にしてください。',
    must_be_true: 'true にしてください。',
    old_format: '2 にしてください。この版の sekisho でリリースを作り直してください。',
    no_editions: '1 つ以上書いてください。',
    edition_twice: '同じ名前を 2 度書かないでください。',
    no_such_edition: '前に書いたエディションのうち、このパスを持つものの名前にしてください。',
    not_found_page: 'files にあるページにしてください。',
    no_page: 'このエディションのページではありません。',
    no_markdown: 'このエディションの Markdown ではありません。',
    also_a_file: '同じパスのファイルもあります。',
    leads_nowhere: '行き先のファイルがこのリリースにありません。',

    branch: '255 文字までの 1 行',
    commit: '7〜64 桁の 16 進数',
    owner: '1 行',
    commit_id: 'コミットの ID',
    edition_name: '英小文字、数字とハイフンだけ',
    edition_label: '40 文字まで',
    base_url: 'スラッシュで始まりスラッシュで終わるパス',
    language_tag: '言語タグ',
    content_type: 'コンテンツの種類（content type）',
    sha256: '小文字の 16 進数で書いた SHA-256 の名前',
    csp_hash: "'sha256-…' の形",
  },
}
