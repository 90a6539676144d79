import { afterAll, expect, test } from 'bun:test'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { fromPieces, fromReader, nextPiece, type ReadyStream } from '../core/bodies/ready-stream.ts'
import { Cancellation } from '../core/cancellation.ts'
import { FileQuotaExceeded, FileStorageFull, FileTooLarge, StoreUnavailable } from '../errors/gateway-error.ts'
import type { NewFile, OwnFiles } from '../kit/own-files.ts'
import { MasterKey } from '../secrets/master-key.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { newId } from '../store/objects/rows.ts'
import { ownFiles as table } from '../store/schema/own-files.ts'
import { organisations, workspaces } from '../store/schema/tenancy.ts'
import { describeOnBothStores, temporaryFolder } from '../store/testing.ts'
import { StorageAway, StorageFull } from './backend.ts'
import { clearFiles } from './clearing.ts'
import { createFolderBackend } from './folder-backend.ts'
import { createOwnFiles, type FileBounds } from './own-files.ts'

const BOUNDS: FileBounds = { maxBytes: 200_000, workspaceBytes: 1_000_000, workspaceFiles: 20 }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new Cancellation()

const textOf = async (stream: ReadyStream): Promise<string> => {
  let text = ''
  for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream))
    text += Buffer.from(piece).toString()
  return text
}

describeOnBothStores('own files', (store) => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())
  const backend = createFolderBackend(folder.path)

  const workspace = async (): Promise<Pick<NewFile, 'organisationId' | 'workspaceId'>> => {
    const [organisationId, workspaceId] = [newId(), newId()]
    await store().db.insert(organisations).values({ id: organisationId, name: 'o' })
    await store()
      .db.insert(workspaces)
      .values({ id: workspaceId, organisationId, name: 'w', slug: `ws-${newId()}` })
    return { organisationId, workspaceId }
  }
  const box = async () => await openSecretBox(store().db, { current: new MasterKey(Buffer.alloc(32, 7)) })
  let made: Promise<Awaited<ReturnType<typeof box>>> | undefined
  const files = async (more: Partial<Parameters<typeof createOwnFiles>[0]> = {}): Promise<OwnFiles> => {
    made ??= box()
    return createOwnFiles({
      ...{ store: store(), backend, secretBox: await made, bounds: BOUNDS, log, randomId: newId },
      ...more,
    })
  }
  const keep = (own: OwnFiles, at: Pick<NewFile, 'organisationId' | 'workspaceId'>, text: string, more = {}) =>
    own.create({ ...at, filename: 'a.jsonl', purpose: 'batch', ...more }, fromPieces([Buffer.from(text)]), never)
  const contents = () => readdir(folder.path)

  test('are what was sent, whole and in part, and sealed where they lie', async () => {
    const at = await workspace()
    const own = await files()
    const text = 'a secret line\n'.repeat(10_000)
    const file = await keep(own, at, text, { contentType: 'application/jsonl' })
    expect(file).toMatchObject({ filename: 'a.jsonl', purpose: 'batch', bytes: text.length, ...at })
    expect(file.sha256).toBe(new Bun.CryptoHasher('sha256').update(text).digest('hex'))
    expect(await own.find(at.workspaceId, file.id)).toEqual(file)
    expect(await textOf(own.open(file))).toBe(text)
    expect(await textOf(own.open(file, { start: 65_530, end: 65_545 }))).toBe(text.slice(65_530, 65_546))
    const stored = await Bun.file(join(folder.path, file.id)).text()
    expect(stored).not.toContain('secret')
    expect((await stat(join(folder.path, file.id))).mode & 0o777).toBe(0o600)
  })

  test('are found by their own workspace alone, and gone once deleted', async () => {
    const [at, other] = [await workspace(), await workspace()]
    const own = await files()
    const file = await keep(own, at, 'x')
    expect(await own.find(other.workspaceId, file.id)).toBeUndefined()
    expect(await own.delete(other.workspaceId, file.id)).toBeFalse()
    expect((await own.list(other.workspaceId, { limit: 10, order: 'desc' })).files).toEqual([])
    expect(await own.delete(at.workspaceId, file.id)).toBeTrue()
    expect(await own.delete(at.workspaceId, file.id)).toBeFalse()
    expect(await contents()).not.toContain(file.id)
    await expect(textOf(own.open(file))).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('are listed in pages, by time, and by purpose', async () => {
    const at = await workspace()
    const own = await files()
    const ids: string[] = []
    for (let number = 0; number < 5; number++)
      ids.push((await keep(own, at, 'x', { purpose: number === 2 ? 'vision' : 'batch' })).id)
    const page = async (query: Partial<Parameters<OwnFiles['list']>[1]>) => {
      const { files: found, hasMore } = await own.list(at.workspaceId, { limit: 2, order: 'desc', ...query })
      return [found.map(({ id }) => ids.indexOf(id)), hasMore]
    }
    expect(await page({})).toEqual([[4, 3], true])
    expect(await page({ after: ids[3] })).toEqual([[2, 1], true])
    expect(await page({ after: ids[1] })).toEqual([[0], false])
    expect(await page({ order: 'asc', after: ids[1] })).toEqual([[2, 3], true])
    expect(await page({ purpose: 'vision' })).toEqual([[2], false])
    expect(await page({ after: 'file-weir-00000000000000000000000000000000' })).toEqual([[], false])
  })

  test('that break off, are too large or have no room leave nothing', async () => {
    const at = await workspace()
    const before = await contents()
    const own = await files()
    const broken = fromReader({
      read: (() => {
        let reads = 0
        return async () => {
          reads++
          if (reads > 3) throw new Error('the client left')
          return new Uint8Array(50_000)
        }
      })(),
      cancel: () => undefined,
    })
    const create = (content: ReadyStream, files = own, more = {}) =>
      files.create({ ...at, filename: 'a', purpose: 'batch', ...more }, content, never)
    await expect(create(broken)).rejects.toThrow('the client left')
    await expect(create(fromPieces([new Uint8Array(200_001)]))).rejects.toBeInstanceOf(FileTooLarge)
    await expect(create(fromPieces([]), own, { bytes: 200_001 })).rejects.toBeInstanceOf(FileTooLarge)
    const small = await files({ bounds: { ...BOUNDS, workspaceBytes: 10 } })
    await expect(create(fromPieces([new Uint8Array(11)]), small)).rejects.toBeInstanceOf(FileQuotaExceeded)
    const few = await files({ bounds: { ...BOUNDS, workspaceFiles: 0 } })
    await expect(create(fromPieces([new Uint8Array(1)]), few)).rejects.toThrow('may keep 0')
    expect(await contents()).toEqual(before)
    expect((await own.list(at.workspaceId, { limit: 1, order: 'asc' })).files).toEqual([])
  })

  test('say what is wrong with their place', async () => {
    const at = await workspace()
    const failing = (error: Error) =>
      files({ backend: { ...backend, write: () => Promise.reject(error), remove: () => Promise.reject(error) } })
    await expect(keep(await failing(new StorageFull('full')), at, 'x')).rejects.toBeInstanceOf(FileStorageFull)
    await expect(keep(await failing(new StorageAway('away')), at, 'x')).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('are removed once they have expired, and what belongs to none after a day', async () => {
    const at = await workspace()
    const own = await files()
    const file = await keep(own, at, 'x', { expiresAfterSeconds: 3600 })
    expect(file.expiresAtMs).toBeGreaterThan(file.createdAtMs + 3_599_000)
    const kept = await keep(own, at, 'y')
    await store()
      .db.update(table)
      .set({ expiresAt: new Date(0) })
      .where(eq(table.id, file.id))
    expect(await own.find(at.workspaceId, file.id)).toBeUndefined()
    const left = join(folder.path, 'file-weir-0123.new')
    await writeFile(left, 'x')
    await writeFile(join(folder.path, 'young'), 'x')
    const old = new Date(Date.now() - 25 * 3600 * 1000)
    await utimes(left, old, old)
    await utimes(join(folder.path, kept.id), old, old)
    const cleared = await clearFiles(store(), backend, Date.now())
    expect(cleared).toEqual({ expired: 1, left: 1 })
    const names = await contents()
    expect(names).toContain('young')
    expect(names).toContain(kept.id)
    expect(names).not.toContain(file.id)
    expect(names).not.toContain('file-weir-0123.new')
  })
})
