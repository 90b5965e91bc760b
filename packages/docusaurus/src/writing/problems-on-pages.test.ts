import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { problemsOnPages } from './problems-on-pages.ts'

it('shows what a build found over every open page, without loading it again', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sekisho-problems-')), 'problems.json')
  await writeFile(file, '[]')
  const sendMessage = vi.fn()
  const clients = [{}]
  const { onListening } = problemsOnPages(file)
  onListening({ webSocketServer: { clients }, sendMessage })
  await writeFile(file, JSON.stringify(['docs/a.md:3 のリンク先 /docs/none がありません。']))
  await vi.waitFor(() => expect(sendMessage).toHaveBeenCalled(), { timeout: 30_000, interval: 50 })
  expect(sendMessage).toHaveBeenCalledWith(
    clients,
    'warnings',
    [{ message: 'docs/a.md:3 のリンク先 /docs/none がありません。' }],
    { params: { preventReloading: true } },
  )
}, 40_000)
