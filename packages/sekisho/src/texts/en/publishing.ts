export const publishing = {
  publish_help: (dataDir: string) => `Usage: sekisho publish --to ORIGIN [--preview NAME] [--data-dir DIR]

Sends the release that sekisho build or sekisho pack made to a running gate, and has it served. Only what the gate lacks is sent, and
what has arrived when a connection breaks is not sent again. In a CI the job's ID token says who is publishing (GitHub Actions:
permissions id-token: write; GitLab CI: id_tokens SEKISHO_ID_TOKEN); from a laptop, SEKISHO_PUBLISH_TOKEN (sekisho tokens create).

  --to ORIGIN      the portal's address, as in https://docs.example.co.jp
  --preview NAME   publish a preview of that name instead (3 to 40 of a-z, 0-9 and -)
  --preview-branch call the preview after its branch
  --branch NAME    what the preview is of (default: what the CI says)
  --commit ID      its commit (default: what the CI says, or the release)
  --expires DAYS   how long the preview lives (default 14)
  --readers LIST   let only these domains and addresses among the portal's readers see the preview, separated by commas
  --widen          show to more readers what is restricted in the release that is served; refused without
  --address-file F append the address to a file as address=… ($GITHUB_OUTPUT, a dotenv report of GitLab)
${dataDir}
  --help           show this text`,
  follow_help:
    () => `Usage: sekisho follow REPOSITORY --to ORIGIN [--branch NAME] [--folder DIR] [--every SECONDS] [--once]

Clones a Git repository, builds its site whenever the branch moves, and publishes it to a running portal. For teams without a CI: run it
as a service of its own user, with a publish token in SEKISHO_PUBLISH_TOKEN (sekisho tokens create). The repository's code runs as that
user; no other setting of Sekisho is passed to it. What fails is said once and tried again; readers keep the release that is served.

  --to ORIGIN      the portal's address, as in https://docs.example.co.jp
  --branch NAME    the branch (default main)
  --folder DIR     the site's folder in the repository (default: its root)
  --dir DIR        where the clone and its builds are kept (default .sekisho-follow)
  --every SECONDS  how often the branch is looked at (default 30)
  --once           publish the newest commit and end
  --help           show this text`,
  follow_what: () => 'name the repository to follow, as git clone takes it',
  follow_branch: () => '--branch must be the name of a branch',
  follow_folder: () => '--folder must be a folder within the repository',
  follow_every: () => '--every must be a number of seconds',
  follow_no_folder: (folder: string) => `the repository has no such folder: ${folder}`,
  follow_not_installed: (folder: string) =>
    `${folder} does not have sekisho among its packages: add it as sekisho init does`,
  follow_builds: (commit: string, branch: string) => `Building ${commit} of ${branch}`,
  follow_failed: (what: string, output: string) => `${what} failed: ${output}`,
  follow_unpublished: (commit: string) => `${commit} is built but not published`,
  would_widen: (paths: readonly string[]) =>
    `restricted now, and shown to more readers by that release: ${paths.slice(0, 20).join(', ')}; add --widen if that is meant`,
  must_be_https: '--to must be an https origin',
  release_served: (id: string, address: string) => `Release ${id} is served: ${address}`,
  sending: (sent: number, total: number) => `Sending ${sent.toFixed(1)} of ${total.toFixed(1)} MB`,
  sent_in_s: (sent: string, seconds: number, after: number) =>
    `  sent ${sent} in ${seconds.toFixed(1)} s; served ${after.toFixed(1)} s after the last byte`,
  other_gates_interval: (seconds: number) =>
    `  every other gate looks for it every ${seconds} s, and serves it once it has fetched what is new`,
  release_served_instead: (id: string, served: string | null) =>
    `Release ${id} is served instead of ${served ?? 'nothing'}.`,
  tokens_help: (
    dataDir: string,
  ) => `Usage: sekisho tokens create --name NAME --expires 90d [--may publish,rollback]
       sekisho tokens list
       sekisho tokens remove ID

Tokens for those who publish without a CI. Only a digest is kept, so a token is shown once, when it is made.
With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given; making and removing takes its owner's role.

  --name NAME     who it is for; the audit trail says so
  --expires TIME  how long it counts, as in 90d or 12h; 366 days at most
  --may RIGHTS    publish, rollback, preview, separated by commas (default: all three)
${dataDir}
  --help          show this text`,
  name_missing: '--name is required, 80 characters at most',
  expires_missing: '--expires is required, as in 90d or 12h; 366 days at most',
  bad_may: (publisherRights: readonly string[]) => `--may must be of ${publisherRights.join(', ')}`,
  token_created: (id: string, until: string) =>
    `ID ${id}, until ${until}. It is not shown again: set SEKISHO_PUBLISH_TOKEN to it for sekisho publish.`,
  tokens_text: (isOver: boolean, time: string) => `${isOver ? 'expired' : 'until'} ${time}`,
  token_removed: (id: string) => `token ${id} is removed and no longer valid`,
  token_not_found: (id: string) => `there is no token ${id}`,
  previews_help: (dataDir: string) => `Usage: sekisho previews list [--data-dir DIR]
       sekisho previews remove NAME [--data-dir DIR]

In the data folder, or where SEKISHO_RELEASES says.

list    shows the previews with their branch, commit and expiry
remove  deletes a preview and its files. To running gates its host is unknown after two seconds (five with a bucket);
        the audit trail tells who did it.

${dataDir}
  --help          show this text`,
  previews_empty: 'There are no previews.',
  expired: (until: string) => `expired ${until}`,
  until: (until: string) => `until ${until}`,
  preview_readers: (few: number) => `for readers of its own (${few})`,
  preview_not_found: (quoted: string) => `there is no preview ${quoted}; see sekisho previews list`,
  preview_removed_running: (name: string) =>
    `Preview ${name} is removed. Running gates no longer know its host after two seconds, after five where they follow a bucket.`,
  releases_help: (dataDir: string) => `Usage: sekisho releases list [--data-dir DIR]
       sekisho releases rollback [ID] [--data-dir DIR]
       sekisho releases remove ID [--data-dir DIR]
       sekisho releases list|rollback [ID] --to ORIGIN

In the data folder, or where SEKISHO_RELEASES says.

list      shows the kept releases, newest first; * is the one being served
rollback  serves release ID, or without one the release before the one being served
          (a newer ID goes forward again). Running gates follow within two seconds.
remove    deletes release ID, which must not be the one being served: for what must no longer be read in tabs that
          are still open. Running gates serve none of its files after two seconds (ten with a bucket); the audit trail tells who did it.

  --to ORIGIN     at a gate elsewhere, with the credentials of sekisho publish and the right rollback
  --widen         roll back even if that shows to more readers what is restricted now
${dataDir}
  --help          show this text`,
  no_release_yet: 'There is no release yet: run sekisho build.',
  damaged: 'damaged',
  pages_files_mb: (size: number, filesCount: number, megabytes: string, changed: number | null) =>
    `${size} pages, ${filesCount} files, ${megabytes} MB${changed === null ? '' : `, ${changed} pages changed`}`,
  release_already_served: (id: string) => `Release ${id} is already served.`,
  release_removed_running: (id: string) =>
    `Release ${id} is removed. Running gates serve none of its files after two seconds, after ten where they follow a bucket.`,
  preview_name: '--preview must be 3 to 40 of a-z, 0-9 and single hyphens',
  name_branch: 'name the branch with --branch',
  name_commit: 'name the commit with --commit',
  expires_days: '--expires must be days, 90 at most',
  no_credentials: (origin: string) =>
    `there are no credentials: set SEKISHO_PUBLISH_TOKEN (from sekisho tokens create); in GitHub Actions give the job \`permissions: id-token: write\`; in GitLab CI give it \`id_tokens: SEKISHO_ID_TOKEN: aud: ${origin}\``,
  no_id_token: (status: number) => `GitHub Actions gives this job no ID token (it answered ${status})`,
  missing_again:
    'the portal says again and again that files are missing; do several gates without a shared store receive them?',
  no_earlier_release: 'there is no earlier release to go back to',
  portal_status: (status: number) => `it answers ${status}`,
  unreachable: (origin: string, why: string) => `${origin} cannot be reached: ${why}`,
  published_unserved:
    'the release is published, but the gate that answers does not serve it: release_store_failed in its log says why, and until then it serves the one before',
  not_accepted: (origin: string) =>
    `${origin} does not accept these credentials; why, the operator finds in the audit trail (publish_refused)`,
  other_version: (origin: string, status: number) =>
    `${origin} answers ${status}; is that a gate of this version?`,
  file_gone: (file: string, id: string) => `${file} of release ${id} is gone`,
  rollback_conflict: 'another publisher moved the release at this moment; see sekisho releases list',
  release_in_use: (id: string) => `release ${id} is being served; roll back to another one first`,
  no_such_release: (quoted: string) => `there is no release ${quoted}; see sekisho releases list`,
}
