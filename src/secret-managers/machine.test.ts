import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnvironmentReader, createFileReader } from './machine.ts'
import { SecretFailure } from './manager.ts'
import { problemOf } from './rules.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'weir-secrets-'))
  const write = async (path: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await write('outside', 'canary')
  await write('first/plain', 'sk-plain\n')
  await write('first/empty', '\n')
  await write('first/large', 'x'.repeat(64 * 1024 + 1))
  await write('first/bytes', new Uint8Array([0xff, 0xfe]))
  await write('second/plain', 'sk-second')
  await write('second/only', 'sk-only')
  // As Kubernetes mounts a secret: links within the volume.
  await write('first/..2026_11_25/key', 'sk-mounted')
  await symlink('..2026_11_25', join(root, 'first/..data'))
  await symlink('..data/key', join(root, 'first/key'))
  await symlink('../outside', join(root, 'first/link'))
  await symlink('..', join(root, 'first/up'))
})
afterAll(() => rm(root, { recursive: true }))

const outcome = async (work: Promise<{ readonly text: string }>): Promise<string> => {
  try {
    return (await work).text
  } catch (thrown) {
    if (!(thrown instanceof SecretFailure)) throw thrown
    return `${thrown.outcome}: ${thrown.message}`
  }
}

describe('a mounted file', () => {
  const read = (path: string, folders: readonly string[] = ['first', join(root, 'second')]): Promise<string> => {
    const settings = { environment: [], folders: [...folders], machineLogin: true }
    const means = { settings, trusts: () => false, logins: {} as never }
    return outcome(createFileReader({ means, folder: root })({ managerType: 'file', auth: {}, path }))
  }

  test('is read from the first folder that has it, without the line break at its end', async () => {
    expect(await read('plain')).toBe('sk-plain')
    expect(await read('only')).toBe('sk-only')
    expect(await read('key')).toBe('sk-mounted')
    expect(await read('none')).toBe('refused: its manager has no such secret')
    expect(await read('plain', [join(root, 'none')])).toBe('refused: its manager has no such secret')
  })

  test('is nothing outside of the folder, whatever leads there', async () => {
    for (const path of ['link', 'up/outside', 'up', '../outside']) {
      expect(await read(path)).toBe("refused: it is a link that leads out of the operator's folder")
    }
    const first = join(root, 'first')
    // A folder whose name begins like that of another one is another one.
    expect(await read('../first/plain', [first.slice(0, -1)])).toStartWith('refused')
  })

  test('is a file, a text, and no larger than a secret', async () => {
    expect(await read('..data')).toBe('refused: it is no file')
    expect(await read('empty')).toBe('unusable: it is empty')
    expect(await read('large')).toBe('unusable: it is larger than 64 KiB')
    expect(await read('bytes')).toBe('unusable: it is no text')
  })
})

describe('a variable', () => {
  const settings = { environment: ['PROVIDER_*', 'ONE', 'WEIR_*', 'DATABASE_URL'], folders: [], machineLogin: true }
  const problem = (path: string) =>
    problemOf({ managerType: 'environment', path, auth: {} }, { settings, trusts: () => false })?.field

  test('is given where the operator lists it, and never one of Weir’s own', () => {
    expect(['ONE', 'PROVIDER_A', 'PROVIDER_'].map(problem)).toEqual([undefined, undefined, undefined])
    for (const path of [
      'TWO',
      'ONE_MORE',
      'provider_a',
      'XPROVIDER_A',
      'WEIR_MASTER_KEY',
      'DATABASE_URL',
      'REDIS_URL',
      'A=B',
      '',
    ]) {
      expect(problem(path)).toBe('secret_path')
    }
  })

  test('is read as it is', async () => {
    const read = createEnvironmentReader({ environment: { ONE: 'sk-one', EMPTY: '' } })
    const text = (path: string): Promise<string> => outcome(read({ managerType: 'environment', auth: {}, path }))
    expect(await text('ONE')).toBe('sk-one')
    expect(await text('EMPTY')).toBe('unusable: it is empty')
    expect(await text('NONE')).toBe('refused: this machine has no such variable')
  })
})
