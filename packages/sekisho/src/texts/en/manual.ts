/** Texts of `sekisho export manual`. */
export const manual = {
  help: (
    dataDir: string,
  ) => `Usage: sekisho export manual PATH... --release ID --as EDITION --out DIR [--people FILE]

Exports pages of one edition as evidence for an audit: each page as one HTML file (and as PDF where Chromium is present) and
as it was served, its hash, commits and approvers from Git, acknowledgements, accounts with access, lines of the audit trail
about these pages, a mapping to ISO/IEC 27001:2022, and VERIFY.md. A path that the edition does not hold is refused.

  --release ID    a kept release (sekisho releases list)
  --as EDITION    name of the edition
  --people FILE   as of sekisho acknowledgements
  --out DIR       a new folder, or a new file DIR.zip
${dataDir}
  --help          show this text

Commits are known where the command runs in the site's repository.`,
  edition_not_found: (release: string, name: string) => `release ${release} has no edition ${name}`,
  page_not_found: (edition: string, path: string) => `edition ${edition} has no page ${path}`,
  file_damaged: (sha256: string, release: string) =>
    `file ${sha256} of release ${release} does not have that hash: restore the release from a backup`,
  file_left_out: (path: string) => `left out: ${path} is not in the edition, or too large`,
  too_large_for_zip: 'a ZIP file holds at most 4 GB and 65,535 files: export into a folder, or fewer pages',
  no_pdf: (why: string) => `no PDF was made (${why}): name a Chromium in CHROME_PATH`,
  exported: (folder: string, pages: number, fingerprint: string) =>
    `Wrote ${pages} pages to ${folder}. Fingerprint of the key: ${fingerprint}`,
  column_file: 'File',
  column_path: 'Page',
  column_title: 'Title',
  column_owner: 'Owner',
  column_revision: 'Revision',
  column_reviewed: 'Last review',
  column_sha256: 'SHA-256 of the page served',
  column_release: 'Release',
  column_edition: 'Edition',
  column_commit: 'Commit',
  column_at: 'Time',
  column_author: 'Author',
  column_committer: 'Committer',
  column_approvers: 'Approvers (trailers of the commit)',
  verify: (signature: string) => `# Verification

In this folder, with openssl (3.0 or newer) and sha256sum alone:

\`\`\`sh
${signature}
sha256sum --check --strict SHA256SUMS
sha256sum public-key.pem
\`\`\`

The first command must print "Signature Verified Successfully", the second "OK" for every file. Files that SHA256SUMS does
not name are no part of the package. Obtain the public key a second time from the operator (\`sekisho audit key\`) and
compare its hash with the last line.

The SHA-256 in pages.csv is the hash of served/NNN.html.txt, the page as the portal delivers it before it adds its own
notes; acknowledgements name the same hash. pages/NNN.html is made from it: without scripts, with pictures and styles of the
edition inside.

Each line of audit.jsonl has the hash of the line before it in its chain. \`sekisho audit export\` exports whole chains.
Acknowledgements and lines of other editions are left out, and so are the subjects of commits.
`,
  mapping: `# ISO/IEC 27001:2022

| clause or control | evidence |
|---|---|
| 7.5 Documented information | pages/, served/, pages.csv (owner, revision, last review), commits.csv (changes, approvers) |
| A.5.1 Policies for information security | pages/, commits.csv (approval), acknowledgements.csv and .html |
| A.5.10 Acceptable use of information and other associated assets | pages/, acknowledgements.csv |
| A.5.15 Access control | access.csv |
| A.5.18 Access rights | access.csv (accounts, first and last sign-in) |
| A.5.33 Protection of records | SHA256SUMS, SHA256SUMS.sig, VERIFY.md |
| A.5.37 Documented operating procedures | pages/, pages.csv |
| A.6.3 Information security awareness, education and training | acknowledgements.csv, audit.jsonl (readings) |
| A.8.15 Logging | audit.jsonl |
`,
}
