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
 * The index file. `page_text` and `page_heads` (titles and headings again, against reading all bodies) are contentless; `content` has the
 * texts, `outline` their ends as `[heading, level, anchor, UTF-16 length]`. `spelling` and `gloss` serve corrections and translations;
 * `everyday` and `phrase` link phrases to subjects.
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

/** Indexes of the lexicon. A new file gets them after it, in their own order. */
export const LEXICON_INDEXES = `
CREATE INDEX IF NOT EXISTS lexicon_reading ON lexicon (reading, titles, headings, pages, key, display)
  WHERE reading <> '';
CREATE INDEX IF NOT EXISTS lexicon_loose ON lexicon (loose) WHERE loose <> '';
`
