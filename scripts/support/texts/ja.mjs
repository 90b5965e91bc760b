/** @type {typeof import('./en.mjs').en} */
export const ja = {
  nodeTooOld: (version) =>
    `Node ${version} は古すぎます。Node 20 以降をインストールしてから、もう一度実行してください。`,
  noPinnedNode: (system) =>
    `${system} で使える Node は用意されていません。x64 か arm64 の Linux、macOS、Windows を使ってください。`,

  install:
    'パッケージをインストールしています（ロックファイルが変わったときだけ。回線が遅いと数分かかります）',
  installing: (seconds) => `インストールを続けています（${seconds} 秒）`,
  registryUnreachable:
    'npm レジストリに接続できません。ネットワークかプロキシを確かめて（`npm ping`）、もう一度実行してください。',
  installFailed: (code, complaint) =>
    `パッケージをインストールできませんでした（npm ci の終了コード: ${code}）。npm のメッセージ:\n\n${complaint}`,

  portNoNumber: (text) => `PORT は 1 から 65535 までの整数にしてください。今の値は「${text}」です。`,
  portForbidden: (port, command) =>
    `ポート ${port} を使う権限がありません。\`PORT=3100 npm ${command}\` のように、1024 以上のポートを選んでください。`,
  portTaken: (port, command) =>
    `ポート ${port} はほかのプログラムが使っています。そのプログラムを止めるか、\`PORT=${port + 1} npm ${command}\` のように別のポートを選んでください。`,

  buildLogin: 'ログインページを組み立てています',
  buildLoginFailed: 'ログインページを組み立てられませんでした。理由は上のメッセージにあります。',
  build: 'サイトをビルドして、リリースを作っています',
  buildFailed: 'リリースを作れませんでした。理由は上のメッセージにあります。',
  start: 'サイトをビルドして、ゲートとローカルの認証サービスを起動します',
  dev: '執筆用に Docusaurus を起動します（この PC からだけ開けます。ゲートはありません）',

  pack: '各ルームを一つのパッケージにまとめています',
  packFailed: 'パッケージを作れませんでした。理由は上のメッセージにあります。',
  sites: 'プラグインごとに小さなサイトを、ゲートなしとゲートありで組み立てています',
  sitesFailed: '違いのあるサイト、または試せなかったサイトがあります。詳しくは上の行を見てください。',
}
