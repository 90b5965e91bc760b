import type { publishing as en } from '../en/publishing.ts'

export const publishing: typeof en = {
  publish_help: (dataDir) => `使い方: sekisho publish --to ORIGIN [--preview NAME] [--data-dir DIR]

sekisho build または sekisho pack で作ったリリースを、動いているゲートに送って公開します。送るのは、ゲートにない分だけです。
途中で切れても、送れた分は送り直しません。CI では、ジョブの ID トークンで名乗ります（GitHub Actions: permissions の id-token: write、
GitLab CI: id_tokens の SEKISHO_ID_TOKEN）。手元からは、sekisho tokens create で作ったトークンを SEKISHO_PUBLISH_TOKEN に設定します。

  --to ORIGIN      ポータルのアドレス（https://docs.example.co.jp）
  --preview NAME   ポータルではなく、この名前のプレビューとして公開する（a-z、0-9、- で 3〜40 文字）
  --preview-branch プレビューの名前をブランチから作る
  --branch NAME    プレビューのブランチ（既定: CI の変数）
  --commit ID      プレビューのコミット（既定: CI の変数、またはリリースの記録）
  --expires DAYS   プレビューの期限（日数、既定 14）
  --readers LIST   プレビューを読める人を、ポータルの読者のうちのドメインとアドレスに絞る（カンマ区切り）
  --widen          公開中のリリースで限定されているものを、より多くの読者に見せる（指定しなければ拒否する）
  --address-file F 公開したアドレスを address=… の形でファイルに書き足す（$GITHUB_OUTPUT、GitLab の dotenv）
${dataDir}
  --help           この説明を表示する`,
  follow_help:
    () => `使い方: sekisho follow REPOSITORY --to ORIGIN [--branch NAME] [--folder DIR] [--every SECONDS] [--once]

Git リポジトリを複製し、ブランチが進むたびにサイトをビルドして、動いているポータルに公開します。CI のないチームのためのコマンドです。
専用のユーザーのサービスとして動かし、公開用トークン（sekisho tokens create）を SEKISHO_PUBLISH_TOKEN に設定してください。
リポジトリのコードはそのユーザーで実行されます。ほかの Sekisho の設定は渡しません。失敗は一度だけ表示して再試行し、
読者には公開中のリリースを配信し続けます。

  --to ORIGIN      ポータルのアドレス（https://docs.example.co.jp）
  --branch NAME    ブランチ（既定: main）
  --folder DIR     リポジトリの中のサイトのフォルダー（既定: 最上位）
  --dir DIR        複製とビルドを置くフォルダー（既定: .sekisho-follow）
  --every SECONDS  ブランチを確かめる間隔（秒、既定 30）
  --once           最新のコミットを公開して終了する
  --help           この説明を表示する`,
  follow_what: () => 'リポジトリを、git clone に渡す形で指定してください',
  follow_branch: () => '--branch にはブランチの名前を指定してください',
  follow_folder: () => '--folder にはリポジトリの中のフォルダーを指定してください',
  follow_every: () => '--every には秒数を指定してください',
  follow_no_folder: (folder) => `リポジトリにこのフォルダーがありません: ${folder}`,
  follow_not_installed: (folder) =>
    `${folder} のパッケージに sekisho がありません。sekisho init の手順で追加してください。`,
  follow_builds: (commit, branch) => `${branch} の ${commit} をビルドしています`,
  follow_failed: (what, output) => `${what} に失敗しました: ${output}`,
  follow_unpublished: (commit) => `${commit} はビルドしましたが、公開できませんでした。`,
  would_widen: (paths) =>
    `いまは限定されているのに、そのリリースではより多くの読者に見えるものがあります: ${paths.slice(0, 20).join('、')}。それでよければ --widen を付けてください。`,
  must_be_https: '--to に https のアドレスを指定してください',
  release_served: (id, address) => `リリース ${id} を公開しました: ${address}`,
  sending: (sent, total) => `送信しています: ${total.toFixed(1)} MB のうち ${sent.toFixed(1)} MB`,
  sent_in_s: (sent, seconds, after) =>
    `  送ったもの ${sent}、${seconds.toFixed(1)} 秒（最後の 1 バイトから ${after.toFixed(1)} 秒で配信）`,
  other_gates_interval: (seconds) =>
    `  ゲートがほかにもあるときは、それぞれ ${seconds} 秒ごとに確かめ、新しい分を取り終えると切り替わります`,
  release_served_instead: (id, served) => `${served ?? 'なし'} に代えて、リリース ${id} を配信しています。`,
  tokens_help: (dataDir) => `使い方: sekisho tokens create --name NAME --expires 90d [--may publish,rollback]
       sekisho tokens list
       sekisho tokens remove ID

CI を使わずに公開する人のためのトークンを扱います。保存するのはダイジェストだけなので、トークンが表示されるのは作ったときの一度だけです。
SEKISHO_DATABASE_URL があれば、--data-dir を指定しない限り、そのデータベースを扱います（作成と削除には所有者のロールが必要です）。

  --name NAME     誰のためのものか。監査ログに残る
  --expires TIME  期限（例: 90d、12h）。366 日まで
  --may RIGHTS    できること。publish（公開）、rollback（切り戻し）、preview（プレビュー）をカンマ区切りで（既定: publish,rollback,preview）
${dataDir}
  --help          この説明を表示する`,
  name_missing: '--name を 80 文字までで指定してください',
  expires_missing: '--expires に期限を指定してください（例: 90d、12h。366 日まで）',
  bad_may: (publisherRights) => `--may は ${publisherRights.join(', ')} から選んでください`,
  token_created: (id, until) =>
    `ID ${id}、期限 ${until}。二度と表示できません。SEKISHO_PUBLISH_TOKEN に設定して sekisho publish を実行してください。`,
  tokens_text: (isOver, time) => `${isOver ? '期限切れ' : '期限'} ${time}`,
  token_removed: (id) => `トークン ${id} を消しました。もう使えません`,
  token_not_found: (id) => `トークン ${id} はありません`,
  previews_help: (dataDir) => `使い方: sekisho previews list [--data-dir DIR]
       sekisho previews remove NAME [--data-dir DIR]

データフォルダー、または SEKISHO_RELEASES が示す場所のプレビューを扱います。

list    プレビューを、ブランチ、コミット、期限とともに表示する
remove  プレビューとそのファイルを消す。動いているゲートも 2 秒（バケットのときは 5 秒）で
        そのホストに答えなくなり、誰が消したかは監査ログに残る

${dataDir}
  --help          この説明を表示する`,
  previews_empty: 'プレビューはありません。',
  expired: (until) => `期限切れ ${until}`,
  until: (until) => `期限 ${until}`,
  preview_readers: (few) => `読者を限定（${few} 件）`,
  preview_not_found: (quoted) =>
    `${quoted} というプレビューはありません。sekisho previews list で確かめてください`,
  preview_removed_running: (name) =>
    `プレビュー ${name} を消しました。動いているゲートも 2 秒（バケットのときは 5 秒）でこのホストに答えなくなります。`,
  releases_help: (dataDir) => `使い方: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]
       sekisho releases remove ID [--data-dir DIR]
       sekisho releases list|rollback [ID] --to ORIGIN

データフォルダー、または SEKISHO_RELEASES が示す場所のリリースを扱います。

list      残っているリリースを新しい順に表示する。* は配信中
rollback  リリース ID を配信する。省略すると、配信中のものの 1 つ前（新しい ID を指定すれば進む）。
          動いているゲートは 2 秒以内に切り替わる
remove    リリース ID を消す。開いたままのタブからも読めなくする必要があるときに使う。配信中のものは消せない。
          動いているゲートも 2 秒（バケットのときは 10 秒）で配信をやめ、誰が消したかは監査ログに残る

  --to ORIGIN     離れたゲートで行う。認証は sekisho publish と同じで、rollback の権利が必要
  --widen         いま限定されているものが、より多くの読者に見えるようになっても戻す
${dataDir}
  --help          この説明を表示する`,
  no_release_yet: 'まだリリースがありません。sekisho build を実行してください。',
  damaged: '壊れています',
  pages_files_mb: (size, filesCount, megabytes, changed) =>
    `${size} ページ、${filesCount} ファイル、${megabytes} MB${changed === null ? '' : `、変わったページ ${changed}`}`,
  release_already_served: (id) => `リリース ${id} はすでに配信中です。`,
  release_removed_running: (id) =>
    `リリース ${id} を消しました。動いているゲートも 2 秒（バケットのときは 10 秒）で配信をやめます。`,
  preview_name: '--preview は、英小文字、数字、1 つずつのハイフンからなる 3〜40 文字にしてください。',
  name_branch: '--branch でブランチを指定してください。',
  name_commit: '--commit でコミットを指定してください。',
  expires_days: '--expires には、90 以下の日数を書いてください。',
  no_credentials: (origin) =>
    `公開する権限を示すものがありません。SEKISHO_PUBLISH_TOKEN を設定してください（sekisho tokens create で作れます）。GitHub Actions ではジョブに \`permissions: id-token: write\` を、GitLab CI では \`id_tokens: SEKISHO_ID_TOKEN: aud: ${origin}\` を書いてください。`,
  no_id_token: (status) => `GitHub Actions が、このジョブに ID トークンを渡しません（応答は ${status}）。`,
  missing_again:
    '送ったファイルがないと、ポータルが繰り返し答えます。リリースを共有していない複数のゲートに送っていないか、確かめてください。',
  no_earlier_release: '戻せる前のリリースがありません。',
  portal_status: (status) => `応答は ${status}`,
  unreachable: (origin, why) => `${origin} に接続できません（${why}）。`,
  published_unserved:
    'リリースは公開されましたが、応答したゲートが配信していません。理由はゲートのログの release_store_failed にあり、それまでは前のリリースを配信します。',
  not_accepted: (origin) =>
    `${origin} は、この権限では公開を受け付けません。理由は、運用者が監査ログ（publish_refused）で確かめられます。`,
  other_version: (origin, status) =>
    `${origin} の応答は ${status} です。この版のゲートかどうか、確かめてください。`,
  file_gone: (file, id) => `リリース ${id} の ${file} がありません。`,
  rollback_conflict:
    '同時に、別の人が公開または切り戻しをしました。sekisho releases list で確かめてください。',
  release_in_use: (id) => `リリース ${id} は配信中です。先に別のリリースに切り戻してください。`,
  no_such_release: (quoted) => `リリース ${quoted} はありません。sekisho releases list で確かめてください。`,
}
