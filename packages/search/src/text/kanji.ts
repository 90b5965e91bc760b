/**
 * Characters with an older or another form that names and older texts still use: the usual form first. Indexed and asked
 * for in the usual form, so that 斎藤 and 齋藤 are one word, and 高橋 and 髙橋.
 */
const FORMS =
  '斎齋 斉齊 高髙 崎﨑碕 辺邊邉 沢澤 浜濱濵 広廣 桜櫻 関關 竜龍 万萬 与與 円圓 会會 学學 実實 写寫 体體 図圖 売賣 変變 声聲 当當 ' +
  '徳德 恵惠 栄榮 気氣 渋澁 滝瀧 真眞 礼禮 静靜 黒黑 戸戶 青靑 吉𠮷 島嶋嶌 富冨 峰峯 館舘 条條 来來 発發 経經 総總 県縣 証證 ' +
  '転轉 鉄鐵 駅驛 読讀 遥遙 槙槇 桧檜 蛍螢 亀龜 弥彌 寿壽 国國 児兒 豊豐 凉涼 仏佛 伝傳 価價 両兩 並竝 乗乘 予豫 争爭 亜亞 仮假 ' +
  '余餘 党黨 処處 剣劍 励勵 労勞 効效 勧勸 区區 医醫 単單 厳嚴 参參 双雙 収收 号號 団團 囲圍 圧壓 塩鹽 増增 壊壞 奥奧 奨奬 宝寶 ' +
  '対對 専專 将將 尽盡 属屬 岳嶽 帯帶 帰歸 庁廳 応應 恋戀 悪惡 戦戰 択擇 担擔 拡擴 拠據 挙擧 挿插 捜搜 摂攝 数數 断斷 旧舊 昼晝 ' +
  '晩晚 暁曉 枢樞 検檢 楽樂 様樣 権權 横橫 欧歐 歩步 歯齒 歳歲 残殘 殴毆 毎每 浄淨 浅淺 温溫 満滿 湾灣 湿濕 為爲 焼燒 犠犧 状狀 ' +
  '独獨 猟獵 献獻 画畫 畳疊 痩瘦 研硏 禅禪 秘祕 稲稻 穂穗 穏穩 窃竊 粋粹 糸絲 絵繪 継繼 続續 縁緣 縄繩 聴聽 脳腦 臓臟 芸藝 茎莖 ' +
  '荘莊 蔵藏 薬藥 虚虛 虫蟲 蚕蠶 触觸 訳譯 誉譽 説說 謡謠 譲讓 賛贊 践踐 軽輕 辞辭 逓遞 遅遲 郎郞 郷鄕 酔醉 釈釋 鋳鑄 銭錢 録錄 ' +
  '錬鍊 鎮鎭 閲閱 険險 陥陷 随隨 隠隱 雑雜 霊靈 頼賴 顔顏 顕顯 駆驅 験驗 髄髓 鶏鷄 麦麥 黄黃 黙默 齢齡'

const OTHERS = new Map<string, string>()
const CLASSES = new Map<string, string>()
for (const forms of FORMS.split(' ')) {
  const [usual = '', ...others] = Array.from(forms)
  for (const other of others) OTHERS.set(other, usual)
  CLASSES.set(usual, `[${forms}]`)
}
const OTHER = new RegExp(`[${[...OTHERS.keys()].join('')}]`, 'gu')

/** Writes every character in its usual form; the number of characters stays. */
export function foldKanji(text: string): string {
  return text.replace(OTHER, (character) => OTHERS.get(character) ?? character)
}

/** Pattern source for a folded character in any of its forms; undefined when it has one form. */
export function kanjiForms(character: string): string | undefined {
  return CLASSES.get(character)
}
