import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LANGUAGES, type Language } from '@sekisho/contract/language'
import {
  SETTING_GROUPS,
  SETTING_TEXTS,
  SETTINGS,
  type SettingKind,
  type SettingRow,
} from '@sekisho/server/settings'

const ROOT = new URL('../../../', import.meta.url)

interface PageTexts {
  readonly frontMatter: string
  readonly lead: string
  readonly columns: readonly [setting: string, kind: string, fallback: string, meaning: string]
  readonly required: string
  readonly bounds: (min: string | null, max: string | null) => string
  readonly groups: Readonly<Record<(typeof SETTING_GROUPS)[number], string>>
  readonly kinds: Readonly<Record<SettingKind, string>>
}

/** A comment of the front matter: in the text it would be shown. */
const NOTE =
  '# Made by npm run settings from packages/server/src/config/settings-table.ts: change that, not this.'

const TEXTS: Readonly<Record<Language, PageTexts>> = {
  ja: {
    frontMatter: `---
title: 設定の一覧
description: Sekisho の環境変数を、既定値、書き方、意味とともに一覧します。
keywords: [設定, 環境変数, 既定値, 一覧, SEKISHO, FIREBASE]
sidebar_label: 設定の一覧
sidebar_position: 5
---`,
    lead: `# 設定の一覧

設定は環境変数で渡します。起動時に一度だけ読み込み、誤りがあれば**すべてをまとめて**表示します。名前を打ち間違えた \`SEKISHO_\` で始まる変数も、誤りとして報告します。
\`npx --no-install sekisho check\` は、何も起動せずに、設定と、それが示すデータベースやバケット、認証サービスを確かめます。

時間は \`90s\`、\`5m\`、\`12h\`、\`7d\` のように、数と単位（秒、分、時間、日）で書きます。列挙はコンマで区切ります。（[English](./english/settings.md)）`,
    columns: ['変数', '書き方', '既定値', '説明'],
    required: '必須',
    bounds: (min, max) =>
      min === null ? `（${max} 以下）` : max === null ? `（${min} 以上）` : `（${min}～${max}）`,
    groups: {
      place: '公開する場所',
      readers: '読める人とセッション',
      identity: 'ログイン',
      agents: 'エージェントとスクリプト',
      keeping: '保存する場所と秘密',
      releases: 'リリースと公開',
      records: '記録と監視',
      pages: 'ゲートのページ',
      answers: '質問への回答',
      notices: '通知',
    },
    kinds: {
      text: '文字列',
      address: 'アドレス',
      port: 'ポート番号',
      list: '列挙',
      file: 'パス',
      secret: '秘密',
      duration: '時間',
      count: '整数',
    },
  },
  en: {
    frontMatter: `---
title: Settings
description: Every environment variable of Sekisho with its default, how it is written, and what it means.
keywords: [settings, environment variables, defaults, SEKISHO, FIREBASE]
sidebar_label: Settings
sidebar_position: 1
---`,
    lead: `# Settings

Environment variables, read once at start; every problem is reported together, and an unknown \`SEKISHO_…\` name is a problem too.
\`npx --no-install sekisho check\` starts nothing, and looks at the settings and at the database, bucket and issuers that they name.

A duration is a number with its unit, as in \`90s\`, \`5m\`, \`12h\` or \`7d\`. Lists are separated by commas. ([日本語](../settings.md))`,
    columns: ['setting', 'written as', 'default', 'meaning'],
    required: 'required',
    bounds: (min, max) =>
      min === null ? ` (up to ${max})` : max === null ? ` (from ${min})` : ` (${min} to ${max})`,
    groups: {
      place: 'Where it is served',
      readers: 'Who may read, and sessions',
      identity: 'Signing in',
      agents: 'Agents and scripts',
      keeping: 'Where things are kept, and secrets',
      releases: 'Releases and publishing',
      records: 'Records and watching',
      pages: "The gate's own pages",
      answers: 'Answers to questions',
      notices: 'Notices',
    },
    kinds: {
      text: 'text',
      address: 'address',
      port: 'port',
      list: 'list',
      file: 'path',
      secret: 'secret',
      duration: 'duration',
      count: 'number',
    },
  },
}

/** The handbook's pages of settings by their places in the repository, as the table makes them. */
export function settingsPages(): ReadonlyMap<string, string> {
  const names = { ja: 'settings', en: 'english/settings' }
  return new Map(
    LANGUAGES.map((language) => [`site/docs/sekisho-pro/${names[language]}.md`, pageIn(language)]),
  )
}

function pageIn(language: Language): string {
  const { frontMatter, lead, groups } = TEXTS[language]
  const tables = SETTING_GROUPS.map(
    (group) => `## ${groups[group]} {#${group}}\n\n${tableOf(group, language)}`,
  )
  return `${[frontMatter.replace('---', `---\n${NOTE}`), lead, ...tables].join('\n\n')}\n`
}

function tableOf(group: (typeof SETTING_GROUPS)[number], language: Language): string {
  const { columns, required, kinds, bounds } = TEXTS[language]
  const rows = Object.entries<SettingRow>(SETTINGS).filter(([, row]) => row.group === group)
  const lines = rows.map(([name, row]) => {
    const { kind, fallback, min = null, max = null } = row
    const written = kinds[kind] + (min === null && max === null ? '' : bounds(textOf(min), textOf(max)))
    const initial = row.required ? required : fallback === undefined ? '–' : `\`${fallback}\``
    return [`\`${name}\``, written, initial, Reflect.get(SETTING_TEXTS[language], name)]
  })
  return [columns, columns.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const textOf = (bound: string | number | null): string | null => (bound === null ? null : String(bound))

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of settingsPages()) writeFileSync(new URL(path, ROOT), text)
