import type { en } from './en.ts'

export const ja: typeof en = {
  problemPage: {
    problems: {
      bad_request: ['このアドレスは開けません', 'アドレスが正しいか確認してください。'],
      bad_origin: ['この操作は受け付けられません', '元のページを開き直してから、もう一度お試しください。'],
      cross_site: ['ほかのサイトからは表示できません', 'アドレスをブラウザーで直接開いてください。'],
      not_found: ['ページが見つかりません', 'アドレスが正しいか確認してください。'],
      method_not_allowed: [
        'この操作は受け付けられません',
        '元のページを開き直してから、もう一度お試しください。',
      ],
      too_large: ['送信した内容が大きすぎます', '内容を減らして、もう一度お試しください。'],
      too_many_requests: ['アクセスが多すぎます', 'しばらく待ってから、もう一度開いてください。'],
      identity_unavailable: ['認証サービスが応答しません', 'しばらく待ってから、もう一度開いてください。'],
      unavailable: ['いまは表示できません', 'しばらく待ってから、もう一度開いてください。'],
    },
    fault: [
      'サーバーで問題が起きました',
      'もう一度開いても表示されないときは、下の番号を管理者に伝えてください。',
    ],
    again: 'もう一度開く',
    home: 'トップページへ',
  },
  /** Errors of addresses in an operator's settings. */
  addresses: {
    bad_address: (entry) => `${entry} は IP アドレスでも CIDR ブロックでもありません。`,
    host_bits: (entry) =>
      `${entry} は、ホスト部が 0 ではありません。ネットワークのアドレスを書くか、プレフィックス長を消してください。`,
    unspecified_address: (entry) =>
      `${entry} は誰のアドレスでもありません。プロキシのアドレスを書いてください。`,
    mapped_address: (entry) =>
      `${entry} はどの接続にも一致しません。IPv4 の相手は IPv4 のアドレスで見えるので、::ffff: を付けずに書いてください。`,
    bad_place: (entry) => `${entry} は、本社=192.0.2.0/24 のような名前とネットワークの組ではありません。`,
  },
}
