/** Work for the test: doubles numbers and refuses one. */
export function createJob({ refused }: { refused: number }) {
  return (item: number): number => {
    if (item === refused) throw new Error(`refused ${item}`)
    return item * 2
  }
}
