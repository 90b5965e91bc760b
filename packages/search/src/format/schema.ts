/** Raised whenever a file written by an older indexer would be read wrongly by this query engine. */
export const FORMAT_VERSION = 1

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

/** A section's id is its page's id times this, plus its position: one range read gives a page's sections. */
export const SECTIONS_PER_PAGE = 65_536

/**
 * The index file. `page_text` is contentless: the readable text lives in `section` once. `lexicon` holds the
 * site's own words for reading queries, `spelling` the ones worth correcting to by length, one `key<TAB>weight` a line, `gloss` pairs of an English and a Japanese term found side by side.
 */
export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL,
  kind TEXT NOT NULL, breadcrumbs TEXT NOT NULL, description TEXT NOT NULL, names TEXT NOT NULL,
  headings TEXT NOT NULL
);
CREATE TABLE section (
  id INTEGER PRIMARY KEY, heading TEXT NOT NULL, level INTEGER NOT NULL, anchor TEXT NOT NULL, text TEXT NOT NULL
);
CREATE VIRTUAL TABLE page_text USING fts5(
  ${TEXT_COLUMNS.join(', ')}, content='', contentless_delete=1, tokenize='ascii'
);
CREATE TABLE lexicon (
  key TEXT NOT NULL, reading TEXT NOT NULL, loose TEXT NOT NULL, display TEXT NOT NULL,
  pages INTEGER NOT NULL, headings INTEGER NOT NULL, titles INTEGER NOT NULL, PRIMARY KEY (key, reading)
) WITHOUT ROWID;
CREATE INDEX lexicon_reading ON lexicon (reading, titles, headings, pages, key, display) WHERE reading <> '';
CREATE INDEX lexicon_loose ON lexicon (loose) WHERE loose <> '';
CREATE TABLE spelling (length INTEGER PRIMARY KEY, words TEXT NOT NULL);
CREATE TABLE gloss (
  english TEXT NOT NULL, japanese TEXT NOT NULL, pages INTEGER NOT NULL, PRIMARY KEY (english, japanese)
) WITHOUT ROWID;
CREATE INDEX gloss_japanese ON gloss (japanese);
`
