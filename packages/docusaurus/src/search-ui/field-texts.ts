/** What the field in the navbar says; every page loads it, so the texts of the search itself stand elsewhere. */
export const FIELD_TEXTS = {
  open: '検索',
  openLabel: '検索を開く（/ キー）',
  withoutGate: '検索は、ビルドしたポータル（npm start）で利用できます。執筆中のプレビューでは動きません。',
  withoutGateShort: '検索（ビルド後に利用可）',
} as const
