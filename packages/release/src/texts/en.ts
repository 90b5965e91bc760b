/** Texts on builds, releases and their places; the other languages have the same codes and values. */
export const en = {
  release: {
    // Places where releases are
    other_answer: (place: string) => `${place} answers something else than was requested`,
    no_release: (place: string, id: string) => `${place} holds no release ${id}`,
    lacks_file: (place: string, file: string, id: string) => `${place} lacks ${file} of release ${id}`,
    release_lacks_file: (id: string, file: string) => `release ${id} lacks ${file}`,
    file_not_found: (file: string, id: string) => `${file} of release ${id} is not there`,
    release_lost_files:
      'a release was published meanwhile and lost files it shares with the removed one: publish it again',
    file_removed_meanwhile: (file: string) =>
      `${file} went with a release that was removed meanwhile: publish again`,
    broke_off: (place: string, sha256: string) => `${place} broke off while ${sha256} was fetched`,
    unreachable: (place: string, reason: string) => `${place} cannot be reached: ${reason}`,
    answered: (status: number) => `it answered ${status}`,
    refused: (place: string, what: string, reason: string) => `${place} refuses to ${what}: ${reason}`,
    bucket_act_list: 'be listed',
    bucket_act_read: (key: string) => `read ${key}`,
    bucket_act_write: (key: string) => `write ${key}`,
    bucket_act_remove: (key: string) => `remove ${key}`,
    no_reason: (status: number) => `${status} no reason given`,
    answer_broke_off: (reason: string) => `the bucket broke off its answer: ${reason}`,
    answer_too_large: 'the bucket sends more than there should be',

    // The release that is served
    no_manifest: (id: string) => `release ${id} has no readable manifest.json`,
    other_manifest: (id: string) => `manifest.json of ${id} is not the one that was published`,
    manifest_file_too_large: (id: string) => `manifest.json of ${id} is too large`,
    no_release_id: (text: string) => `${text} is not a release id`,
    bad_pointer: (pointer: string) => `${pointer} does not hold a release id`,
    bad_pointer_in: (place: string) => `the pointer in ${place} does not hold a release id`,
    other_content: (file: string) => `${file} does not hold what its manifest says`,
    other_stored_bytes: (sha256: string) => `other bytes than the manifest names: ${sha256}`,

    // What arrives in parts
    manifest_too_large: 'the manifest is too large',
    manifest_hash_mismatch: 'the bytes of the manifest are not those of its hash',
    other_bytes: (sha256: string) => `the bytes are not those of ${sha256}`,
    part_not_there: (part: number, sha256: string) => `part ${part} of ${sha256} is not there`,
    unpacks_to_other: (name: string) => `${name} does not unpack to the file it is of`,
    bad_delivery: (path: string, type: string, delivery: string) =>
      `${path}: ${type} must not be delivered as ${delivery}`,
    too_large_to_compress: (path: string) => `${path} is too large to be compressed`,
    nested_too_deep: (max: number) => `the manifest nests lists and objects more than ${max} deep`,
    too_many_names: (max: number) =>
      `the manifest lists more than ${max} editions, audiences, labels, locales and search indexes`,
    too_many_files: (max: number) => `the manifest lists more than ${max} files and redirects`,
    index_refused: (name: string, problem: string) => `the search index ${name} is refused: ${problem}`,
    no_smaller: (path: string, encoding: string) => `${path} is no smaller as ${encoding}`,
    cache_forbidden: (path: string) =>
      `${path} must not be kept by browsers: its name does not tell its content`,

    // Previews
    readers_list_too_long: 'the lists of readers are too long; name domains, or fewer addresses',
    previews_contended: (place: string) => `${place}: others change the previews all the time; try again`,
    bad_preview_name: (name: string) =>
      `${name} is no name of a preview: 3 to 40 of a-z, 0-9 and single hyphens, none at an end`,
    preview_taken: (name: string) =>
      `preview ${name} belongs to another publisher: choose another name, or have it removed (sekisho previews remove)`,
    previews_full: (count: number) =>
      `there are ${count} previews already; remove one, see sekisho previews list`,
    own_previews_full: (count: number) =>
      `this publisher has ${count} previews already; remove one, see sekisho previews list`,

    // Builds
    no_edition: 'there is no edition to pack',
    foreign_edition_named: (path: string, edition: string, target: string, other: string) =>
      `${path} (edition ${edition}) names ${target}, which only edition ${other} holds`,
    same_path: (one: string, other: string, path: string) => `${one} and ${other} both want the path ${path}`,
    page_without_file: (path: string, file: string) => `the page ${path} has no file ${file} in the build`,
    page_path: (path: string, problem: string) => `the page ${path} ${problem}`,
    redirect_path: (path: string, problem: string) => `the redirect from ${path} ${problem}`,
    file_name: (name: string, problem: string) => `${name} ${problem}; rename it`,
    undecodable: (name: string) =>
      `${name} contains bytes that are invalid in its declared encoding, or in any known encoding; save it in UTF-8`,
    symbolic_link: (name: string, target: string) =>
      `${name} is a symbolic link to ${target}; put a copy there, or a page that leads on (mike: --alias-type=redirect or copy)`,
    special_file: (name: string) => `${name} is not a regular file`,
    replaced_by_nothing: (path: string, target: string) =>
      `${path} says that ${target} replaces it, which is no page of the same edition`,
    misplaced_locale: (folder: string, baseUrl: string, wanted: string) =>
      `the locale in ${folder} is served below ${baseUrl}; it has to be ${wanted}`,
    no_site_json: (file: string, buildDir: string) =>
      `${file} is missing in ${buildDir}: the site's config does not list the theme 'sekisho/docusaurus'; npx --no-install sekisho init adds it`,

    // Paths; each stands behind one
    no_slash: 'does not start with a slash',
    forbidden_character: 'holds an invisible, control or undecodable character',
    not_composed: 'is not in Unicode NFC (composed) form',
    ambiguous_character: 'holds one of \\ % ? # ;, which servers read differently in a URL',
    empty_segment: 'holds an empty segment',
    dot_segment: 'holds a dot segment',
    no_canonical_form: 'has no canonical form as a URL path',
    reserved: 'is, or begins with, a name the gate keeps for itself',

    // Fields of a manifest or of a list of previews; each stands behind its place
    above_maximum: (count: number) => `must be ${count} at most`,
    name_twice: 'a name is given twice',
    removed_key: 'unknown key "isRemoved"',
    preview_name: 'must be 3 to 40 of a-z, 0-9 and single hyphens, none at an end',
    preview_end: 'must be after createdAtMs, by 90 days at most',
    must_be_true: 'must be true',
    old_format: 'must be 2: pack the release with this version of sekisho',
    no_editions: 'must name one at least',
    edition_twice: 'must not name one twice',
    no_such_edition: 'names no earlier edition that has this path',
    not_found_page: 'must name a page of files',
    no_page: 'is no page of this edition',
    no_markdown: 'is no Markdown of this edition',
    also_a_file: 'is also a file',
    leads_nowhere: 'leads to no file of this release',

    // What a field must be
    branch: 'one line of 255 characters at most',
    commit: '7 to 64 hex digits',
    owner: 'one line',
    commit_id: 'the id of a commit',
    edition_name: 'lower-case letters, digits and hyphens',
    edition_label: 'up to 40 characters',
    base_url: 'a path that begins and ends with a slash',
    language_tag: 'a language tag',
    content_type: 'a content type',
    sha256: 'named by a SHA-256 in lower-case hex',
    csp_hash: "'sha256-…'",
  },
}
