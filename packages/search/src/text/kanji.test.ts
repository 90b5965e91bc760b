import { expect, it } from 'vitest'
import { foldKanji, kanjiForms } from './kanji.ts'
import { normalise, normaliseForDisplay } from './normalise.ts'

it.each([
  ...[
    '補塡 補填',
    '装塡 装填',
    '剝離 剥離',
    '頰 頬',
    '𠮟る 叱る',
    '繫ぐ 繋ぐ',
    '渕 淵',
    '鷗 鴎',
    '髙 高',
    '﨑 崎',
    '圡 土',
    '栁 柳',
  ],
  ...[
    '國 国',
    '學 学',
    '濵 濱',
    '噓 嘘',
    '摑む 掴む',
    '搔 掻',
    '嚙む 噛む',
    '麵 麺',
    '醬油 醤油',
    '蟬 蝉',
    '囊 嚢',
    '吞 呑',
    '俱 倶',
  ],
  ...[
    '內容 内容',
    '說明 説明',
    '强制 強制',
    '戶籍 戸籍',
    '產業 産業',
    '稅 税',
    '絕対 絶対',
    '硏究 研究',
    '橫 横',
    '黃 黄',
    '增 増',
    '淸 清',
  ],
  ...[
    '檜 桧',
    '蠟 蝋',
    '龍 竜',
    '恆 恒',
    '窗 窓',
    '裡 裏',
    '耻 恥',
    '盃 杯',
    '迴 回',
    '冊 册',
    '⻑さ 長さ',
    '冒瀆 冒涜',
    '蹂躪 蹂躙',
    '贗作 贋作',
    '廚房 厨房',
    '灾害 災害',
    '⼈事 人事',
    '侮 侮',
    '葛\u{e0100}城 葛城',
    '鄉 郷',
    '减少 減少',
    '喻 喩',
    '汙染 汚染',
    '姊 姉',
    '煕 熙',
  ],
])('%s is compared as one', (pair) => {
  const [one = '', other = ''] = pair.split(' ')
  expect(normalise(one)).toBe(normalise(other))
})

it.each([
  '系 繋',
  '雲 云',
  '里 裏',
  '後 后',
  '谷 穀',
  '干 乾',
  '斎 斉',
  '暗 闇',
  '体 休',
  '才 歳',
  '核 覈',
  '氷 冫',
])('%s stay two', (pair) => {
  const [one = '', other = ''] = pair.split(' ')
  expect(normalise(one)).not.toBe(normalise(other))
})

it('finds each form in text, rare characters too', () => {
  for (const text of ['叱', '𠮟', '剥', '剝']) {
    const pattern = new RegExp(`^${kanjiForms(foldKanji(text))}$`)
    expect(pattern.test(text)).toBe(true)
  }
})

it('shows the usual form of what other standards have twice', () => {
  expect(normaliseForDisplay('葛\u{e0100}城の⼈事 ❤\ufe0f')).toBe('葛城の人事 ❤\ufe0f')
})
