import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { newRoot } from '../../../test/support/spool/process.ts'
import { openFolder } from './spool-folder.ts'

const TAKING_OVER = join(import.meta.dir, '..', '..', '..', 'test', 'support', 'spool', 'taking-over.ts')

test('a new folder is its own, while another process takes over all that nobody has', async () => {
  const { root, remove } = newRoot()
  const child = Bun.spawn([process.execPath, TAKING_OVER, root], { stdout: 'pipe', stderr: 'inherit' })
  try {
    await child.stdout.getReader().read()
    for (let index = 0; index < 500; index++) {
      const folder = openFolder(root)
      expect(existsSync(folder.path)).toBe(true)
      folder.release()
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
    remove()
  }
}, 60_000)
