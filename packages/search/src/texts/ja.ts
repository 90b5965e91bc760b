import type { en } from './en.ts'

export const ja: typeof en = {
  embeddings: {
    answered: (status) => `応答は ${status}`,
    too_slow: '時間内に応答なし',
    unreachable: '接続できません',
    no_json: '応答が JSON ではありません',
    other_vectors: '応答のベクトルの数や長さが、送ったテキストと合いません',
  },
}
