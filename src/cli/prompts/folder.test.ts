import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rejection, temporaryFolder } from '../../store/testing.ts'
import { readFolder, writeFolder } from './folder.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true })
  writeFileSync(join(folder.path, path), content)
}

const all = (): readonly string[] =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
    .toSorted()

describe('reading', () => {
  test('takes files to the byte, and leaves notes alone', async () => {
    put('prompts/pp-a/template.txt', '\ufeffa\r\n')
    put('prompts/README.md', 'about')
    put('prompts/.gitkeep', '')
    put('partials/pl-a.txt', '')
    put('other/file', 'x')
    const { files, folders } = await readFolder(folder.path)
    expect([...files].toSorted()).toEqual([
      ['partials/pl-a.txt', ''],
      ['prompts/pp-a/template.txt', '\ufeffa\r\n'],
    ])
    expect([...folders]).toEqual(['prompts', 'partials'])
  })

  test('a folder that is not there holds nothing', async () => {
    const { files, folders } = await readFolder(join(folder.path, 'nowhere'))
    expect([files.size, folders.size]).toEqual([0, 0])
  })

  test.each([
    ['a link to a file', 'prompts/pp-a/template.txt: is not a file', () => link('prompts/pp-a/template.txt', 'secret')],
    ['a link to a folder', 'prompts/pp-a: is not a folder', () => link('prompts/pp-a', '.')],
    ['a link in the place of all', 'prompts: is not a folder', () => link('prompts', '.')],
    ['a file among folders', 'prompts/x.json: is not a folder', () => put('prompts/x.json', '{}')],
    ['a folder among files', 'partials/x: is not a file', () => put('partials/x/y.json', '{}')],
    ['bytes that are no text', 'partials/a.txt: is not UTF-8 text', () => put('partials/a.txt', new Uint8Array([255]))],
    ['a file of many bytes', 'partials/a.txt: is larger', () => put('partials/a.txt', new Uint8Array(8_388_609))],
  ] as const)('refuses %s', async (_, message, make) => {
    put('secret', 'x')
    make()
    const error = await rejection(readFolder(folder.path))
    expect(error.name).toBe('FilesRefused')
    expect(error.message).toStartWith(message)
  })

  const link = (path: string, target: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    symlinkSync(join(folder.path, target), join(folder.path, path))
  }
})

describe('writing', () => {
  test('makes folders, leaves alone what is right already, and takes away what is stale', async () => {
    put('prompts/pp-a/prompt.json', 'same')
    put('prompts/pp-b/prompt.json', 'old')
    put('prompts/pp-c/prompt.json', 'old')
    put('prompts/pp-c/NOTES', 'mine')
    const before = await readFolder(folder.path)
    const { mtimeNs } = statSync(join(folder.path, 'prompts/pp-a/prompt.json'), { bigint: true })
    const wanted = new Map([
      ['prompts/pp-a/prompt.json', 'same'],
      ['prompts/pp-d/prompt.json', 'new'],
    ])
    const stale = ['prompts/pp-b/prompt.json', 'prompts/pp-c/prompt.json']
    await writeFolder(folder.path, wanted, before.files, stale)
    expect(all()).toEqual(['prompts/pp-a/prompt.json', 'prompts/pp-c/NOTES', 'prompts/pp-d/prompt.json'])
    expect(readdirSync(join(folder.path, 'prompts')).toSorted()).toEqual(['pp-a', 'pp-c', 'pp-d'])
    expect(readdirSync(join(folder.path, 'partials'))).toEqual([])
    expect(statSync(join(folder.path, 'prompts/pp-a/prompt.json'), { bigint: true }).mtimeNs).toBe(mtimeNs)
  })
})
