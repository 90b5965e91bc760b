/** Raised whenever a file written by an older indexer would be read wrongly by this query engine. */
export const FORMAT_VERSION = 5

/** Full-text columns in order; `extra_*` hold identifier parts, okurigana skeletons and symbol terms. */
export const TEXT_COLUMNS = [
  'title',
  'extra_title',
  'headings',
  'extra_headings',
  'names',
  'body',
  'extra_body',
] as const

/** Columns of `page_heads` that are filled; the others are there so that every expression fits both tables. */
export const HEAD_COLUMNS: ReadonlySet<string> = new Set<(typeof TEXT_COLUMNS)[number]>([
  'title',
  'extra_title',
  'headings',
  'extra_headings',
  'names',
])

/** Of a page's text so much is kept to be read; what follows is found, and has no snippet. */
export const MAX_CHARACTERS = 40_000

/**
 * The index file. `page_text` and `page_heads` are contentless: the readable text lives in `content` once, the sections'
 * texts one after another in UTF-8 as one member of gzip, with `outline` saying where each ends:
 * JSON, `[heading, level, anchor, length in UTF-16 units]` of every section. `page_heads` has the titles and headings again,
 * because a column filter on `page_text` reads the postings of all bodies. `lexicon` holds the site's own words for
 * reading queries, `posting` which pages are how much about which term (see `postings.ts`), `synonym` other words for one, `spelling` the ones worth correcting to by length, one `key<TAB>weight` a line, `gloss` pairs of an
 * English and a Japanese term found side by side, `everyday` phrases in which people speak of what the site has, by what two phrases
 * may have in common, and `phrase` which subject each is about: a term of `posting`.
 */
export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL,
  kind TEXT NOT NULL, breadcrumbs TEXT NOT NULL, description TEXT NOT NULL, names TEXT NOT NULL,
  headings TEXT NOT NULL, tags TEXT NOT NULL, version TEXT NOT NULL, date TEXT NOT NULL
);
CREATE TABLE content (id INTEGER PRIMARY KEY, outline TEXT NOT NULL, text BLOB NOT NULL);
CREATE VIRTUAL TABLE page_text USING fts5(
  ${TEXT_COLUMNS.join(', ')}, content='', contentless_delete=1, tokenize='ascii'
);
CREATE VIRTUAL TABLE page_heads USING fts5(
  ${TEXT_COLUMNS.join(', ')}, content='', contentless_delete=1, tokenize='ascii'
);
CREATE TABLE lexicon (
  key TEXT NOT NULL, reading TEXT NOT NULL, loose TEXT NOT NULL, display TEXT NOT NULL,
  pages INTEGER NOT NULL, headings INTEGER NOT NULL, titles INTEGER NOT NULL, part INTEGER NOT NULL,
  parts TEXT NOT NULL, PRIMARY KEY (key, reading)
) WITHOUT ROWID;
CREATE INDEX lexicon_reading ON lexicon (reading, titles, headings, pages, key, display) WHERE reading <> '';
CREATE INDEX lexicon_loose ON lexicon (loose) WHERE loose <> '';
CREATE TABLE posting (
  term TEXT NOT NULL, block INTEGER NOT NULL, pages BLOB NOT NULL, PRIMARY KEY (term, block)
) WITHOUT ROWID;
CREATE TABLE spelling (length INTEGER PRIMARY KEY, words TEXT NOT NULL);
CREATE TABLE gloss (
  english TEXT NOT NULL, japanese TEXT NOT NULL, pages INTEGER NOT NULL, PRIMARY KEY (english, japanese)
) WITHOUT ROWID;
CREATE INDEX gloss_japanese ON gloss (japanese);
CREATE TABLE synonym (
  term TEXT NOT NULL, other TEXT NOT NULL, weight INTEGER NOT NULL, PRIMARY KEY (term, other)
) WITHOUT ROWID;
CREATE TABLE everyday (feature TEXT PRIMARY KEY, rarity REAL NOT NULL, phrases BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE phrase (number INTEGER PRIMARY KEY, subject TEXT NOT NULL);
`
