import { TABLE_DIR } from '../wire.ts'

/** Reads one file of the route table. A reader who was signed out gets an error, and navigation reloads the page. */
export async function fetchTable<T>(file: string): Promise<T> {
  const response = await fetch(`${__webpack_require__.p}${TABLE_DIR}/${file}`)
  if (!response.ok) throw new Error(`Route table answered ${response.status}`)
  return (await response.json()) as T
}
