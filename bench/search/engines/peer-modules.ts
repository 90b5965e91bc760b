import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPeer } from '../../subjects/install-peer.ts'

const VERSIONS = {
  '@easyops-cn/docusaurus-search-local': '0.55.3',
  '@orama/orama': '3.1.18',
  '@orama/tokenizers': '3.1.18',
  pagefind: '1.6.0',
}

/** Installs the engines we compare with, once; without the Docusaurus and React that a plugin names as its peers. */
export const installPeers = (): string => installPeer('search', VERSIONS, ['legacy-peer-deps=true'])

/** A file of an installed peer. */
export const peerFile = (file: string): string => join(installPeers(), 'node_modules', file)

/** Loads a file of an installed peer. Peers are not among our dependencies, so nothing here knows their types. */
export function importPeer<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(peerFile(file)).href)
}
