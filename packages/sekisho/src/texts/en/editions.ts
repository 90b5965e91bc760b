export const editions = {
  in_file: (file: string, problem: string) => `${file}: ${problem}`,
  name_form: 'up to 40 lower-case letters, digits and hyphens',
  label_form: 'up to 40 characters',
  same_name: (name: string) => `two editions are named ${name}`,
  no_last: 'the last edition must have no audiences ("audiences": []): it is for everybody who is admitted',
  never_got: (name: string, earlier: string) =>
    `nobody ever gets edition ${name}: whoever may read it gets ${earlier}, so put it before that`,
  unknown_audience: (where: string, audience: string) => `${where}: no edition has the audience ${audience}`,
  unknown_in_page: (place: string, audience: string, known: readonly string[]) =>
    `${place}: no edition has the audience ${audience}; there are ${known.join(', ')}`,
  front_matter_language: (place: string, language: string) =>
    `${place}: write the front matter in YAML; who may read a page is not read from "${language}"`,
  said_twice: (name: string, where: readonly string[]) =>
    `${name}: its audience is said more than once: ${where.join(', ')}`,
  unused_glob: (glob: string) => `paths ${glob}: no file is called like this, so nothing is kept back by it`,
  unclear_translation: (name: string, originals: readonly string[]) =>
    `${name}:1: say its audience here; it may be a translation of ${originals.join(' or ')}, whose audiences differ`,
  names_narrower: (place: string, name: string, audiences: readonly string[], edition: string) =>
    `${place}: names ${name}, which only ${audiences.join(' and ')} may read; edition ${edition} holds this page without it`,
  two_globs: (name: string, globs: readonly string[]) =>
    `${name} has one audience, and these say it: ${globs.join(', ')}`,
  described_by_hand: (file: string) =>
    `${file} was written by hand and names the pages of everybody: remove it, so that each edition gets its own`,
  rules_within: (file: string) =>
    `${file} lies in the folder that readers get: move it to the one that the command is run in`,
}
