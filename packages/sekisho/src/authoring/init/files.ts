import { posix, relative, sep } from 'node:path'
import { createMessages, pickLanguage } from '@sekisho/contract/language'
import { TEXTS } from '../../texts/index.ts'

const messageOf = createMessages(TEXTS, 'init')

/** Facts of the site for the files that `init` writes. */
export interface SiteFacts {
  readonly title: string
  readonly tagline: string
  /** Of its main locale, as in `en-GB`. */
  readonly lang: string
}

const quote = (text: string): string => `"${text.replace(/["\r\n]/g, ' ')}"`

/** The settings file in the site's language: what a real gate needs, said and left out. */
export function settingsFile({ title, tagline, lang }: SiteFacts): string {
  const language = pickLanguage(lang)
  const facts = { title: quote(title), tagline: quote(tagline), lang: language }
  return messageOf('settings_file', facts).in(language)
}

/** Folders for `.gitignore`, each with its comment. */
export const IGNORED: readonly (readonly [folder: string, lines: string])[] = [
  ['.sekisho', '\n# Sekisho: releases, sessions, audit trail\n.sekisho/\n'],
  ['.cache', '\n# Sekisho: what builds keep for the next one\n.cache/\n'],
]

/** Install command of a site's packages, by lock file. */
const INSTALLS: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm ci',
  'pnpm-lock.yaml': 'corepack enable && pnpm install --frozen-lockfile',
  'yarn.lock': 'corepack enable && yarn install --immutable',
}

/** Lock files of npm, pnpm and Yarn. */
export const LOCK_FILES = Object.keys(INSTALLS)

/** The command that installs what a lock file says. */
export const installCommand = (lockFile: string | null): string => INSTALLS[lockFile ?? ''] ?? 'npm install'

/** A workflow for GitHub Actions: build the site, prove the release, publish it or a preview of it. */
export function workflowFile(repository: string, siteDir: string, install: string): string {
  const folder = relative(repository, siteDir).split(sep).join('/') || '.'
  const kept = ['.cache', '.sekisho/cache', 'node_modules/.cache'].map((name) => posix.join(folder, name))
  return `name: documentation
on:
  push:
  pull_request:
permissions:
  contents: read
env:
  # The portal: a variable of the repository (Settings, Secrets and variables, Actions). Nothing is published without it.
  SEKISHO_TO: \${{ vars.SEKISHO_TO }}
defaults:
  run:
    working-directory: ${folder}
jobs:
  release:
    # A push has run for a pull request of this repository; of a fork, the site is built and proven only.
    if: github.event_name == 'push' || github.event.pull_request.head.repo.full_name != github.repository
    runs-on: ubuntu-latest
    permissions:
      contents: read
      id-token: write # tells the portal which repository and branch publish: there is no secret to keep
      pull-requests: write # for the comment
    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0 # pages show when Git last saw them change
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: ${install}
      - uses: actions/cache@v4 # what the last build keeps for this one
        with:
          path: |
            ${kept.join('\n            ')}
          key: sekisho-\${{ hashFiles('**/package-lock.json', '**/yarn.lock', '**/pnpm-lock.yaml') }}-\${{ github.sha }}
          restore-keys: sekisho-\${{ hashFiles('**/package-lock.json', '**/yarn.lock', '**/pnpm-lock.yaml') }}-
      - run: npx --no-install sekisho build
      - run: npx --no-install sekisho verify
      - name: publish
        if: env.SEKISHO_TO != '' && github.event_name == 'push' && github.ref == 'refs/heads/main'
        run: npx --no-install sekisho publish --to "$SEKISHO_TO"
      - name: preview
        id: preview
        if: env.SEKISHO_TO != '' && github.event_name == 'push' && startsWith(github.ref, 'refs/heads/') && github.ref != 'refs/heads/main'
        run: npx --no-install sekisho publish --to "$SEKISHO_TO" --preview-branch --address-file "$GITHUB_OUTPUT"
      - name: comment
        if: steps.preview.outputs.address != ''
        env:
          GH_TOKEN: \${{ github.token }}
          ADDRESS: \${{ steps.preview.outputs.address }}
        run: |
          number="$(gh pr list --head "$GITHUB_REF_NAME" --json number --jq '.[0].number // empty')"
          if [ -n "$number" ]; then gh pr comment "$number" --body "Preview: $ADDRESS" --edit-last --create-if-none; fi
`
}

/** An image that builds the site and serves it; the settings come from the environment. */
export function dockerFile(install: string): string {
  return `# docker build -t documentation . && docker run -p 3000:3000 --env-file FILE -v documentation:/data documentation
FROM node:24-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /site
COPY . .
RUN ${install} && npx --no-install sekisho build --data-dir /release

FROM node:24-slim
WORKDIR /site
COPY --from=build /site/node_modules/sekisho /tmp/sekisho
RUN npm install --no-audit --no-fund "$(npm pack --silent --pack-destination /tmp /tmp/sekisho | sed 's#^#/tmp/#')" && rm -rf /tmp/sekisho*
COPY --from=build --chown=node /release /data
COPY sekisho.env ./
USER node
ENV SEKISHO_HOST=0.0.0.0 SEKISHO_DATA_DIR=/data
EXPOSE 3000
CMD ["node", "node_modules/sekisho/bin/installed.mjs", "serve"]
`
}
