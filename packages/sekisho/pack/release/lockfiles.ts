/** `packages/NAME` are our own, and so is the target of a link. */
const FOREIGN = /(?:^|\/)node_modules\//

interface Locked {
  readonly link?: boolean
  readonly integrity?: string
  readonly resolved?: string
}

/** Entries of a lockfile without a strong hash, which npm installs unchecked, or tied to one registry. */
export function findUnproven(text: string): string[] {
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> }
  return Object.entries(packages)
    .filter(([path, { link }]) => FOREIGN.test(path) && link !== true)
    .filter(
      ([, { integrity, resolved }]) =>
        !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') || resolved !== undefined,
    )
    .map(([path]) => path)
}
