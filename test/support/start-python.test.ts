import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessGroup } from './start-process.ts'
import { preparePython, pythonCache } from './start-python.ts'

const root = await mkdtemp(join(tmpdir(), 'weir-python-'))
afterAll(() => rm(root, { recursive: true, force: true }))

/** Commands instead of programs: `venv` makes its interpreter, and what `fails` fits fails. */
const commands = (version: string, fails = /^$/) => {
  const ran: string[] = []
  const group: ProcessGroup = {
    async run({ command }) {
      const line = command.join(' ')
      ran.push(line)
      if (fails.test(line)) throw new Error(`failed: ${line}`)
      if (command.includes('-c')) return version
      const folder = command[3] ?? ''
      if (command[2] === 'venv') {
        await mkdir(join(folder, 'bin'), { recursive: true })
        await writeFile(join(folder, 'bin', 'python'), '')
      }
      return ''
    },
    start: () => Promise.reject(new Error('nothing is to be started')),
    close: () => Promise.resolve(),
  }
  return { group, ran }
}

test('an environment is made once for each Python', async () => {
  const cache = join(root, 'once')
  const first = commands('/usr/bin/python3 3.11')
  const python = await preparePython(first.group, cache)
  expect(await Bun.file(python).exists()).toBe(true)
  expect(first.ran).toHaveLength(3)
  expect(first.ran[2]).toMatch(/ -m pip install .*--requirement .*python-requirements\.txt$/)

  const again = commands('/usr/bin/python3 3.11')
  expect(await preparePython(again.group, cache)).toBe(python)
  expect(again.ran).toHaveLength(1)

  expect(await preparePython(commands('/usr/bin/python3 3.13').group, cache)).not.toBe(python)
  expect(await readdir(cache)).toHaveLength(2)
})

test('one that could not be made whole is not left behind', async () => {
  const cache = join(root, 'broken')
  await expect(preparePython(commands('3.11', / pip install /).group, cache)).rejects.toThrow(
    /^failed: .* pip install /,
  )
  expect(await readdir(cache)).toEqual([])
})

test('of two that are made at once, one stays', async () => {
  const cache = join(root, 'twice')
  const { group } = commands('3.11')
  const rival: ProcessGroup = {
    ...group,
    async run(command) {
      // Another run is done while this one installs.
      if (command.command.includes('pip')) await preparePython(group, cache)
      return group.run(command)
    },
  }
  const python = await preparePython(rival, cache)
  expect(await readdir(cache)).toEqual([dirname(dirname(python)).slice(cache.length + 1)])
})

test('the place can be chosen', () => {
  expect(pythonCache({ WEIR_TEST_CACHE: '/ci/cache', XDG_CACHE_HOME: '/else' })).toBe('/ci/cache')
  expect(pythonCache({ XDG_CACHE_HOME: '/home/x/.cache' })).toBe('/home/x/.cache/weir-tests')
})
