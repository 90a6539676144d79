import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeOnBothStores, emptyStore, rejection, temporaryFolder } from '../store/testing.ts'
import { MasterKeyRefused } from './errors.ts'
import { loadMasterKeys } from './load-master-keys.ts'
import { parseMasterKey } from './master-key.ts'
import { openSecretBox } from './secret-box.ts'

const NEW = 'a-new-master-key-of-the-operator-1'
const OLD = 'an-old-master-key-of-the-operator-1'
const idOf = (text: string) => parseMasterKey(text, 'test').id

describeOnBothStores('master keys', (store) => {
  let folder = temporaryFolder()
  const file = () => join(folder.path, 'master.key')

  beforeEach(async () => {
    folder = temporaryFolder()
    await emptyStore(store())
  })
  afterEach(() => folder.remove())

  const load = (given: { value?: string; previousValue?: string } = {}) =>
    loadMasterKeys(store(), { ...given, dataDir: folder.path })

  test('are those of the environment', async () => {
    const keys = await load({ value: NEW, previousValue: OLD })
    expect([keys.current.id, keys.previous?.id]).toEqual([idOf(NEW), idOf(OLD)])
    expect(await load({ value: NEW, previousValue: NEW })).not.toHaveProperty('previous')
    expect(existsSync(file())).toBe(false)
    expect((await rejection(load({ value: NEW, previousValue: 'short' }))).message).toContain(
      'WEIR_MASTER_KEY_PREVIOUS',
    )
  })

  test('without one, the embedded database makes one and a server refuses', async () => {
    if (store().kind === 'postgres') {
      for (const value of [undefined, '']) {
        const refused = await rejection(load(value === undefined ? {} : { value }))
        expect(refused).toBeInstanceOf(MasterKeyRefused)
        expect(refused.message).toContain('WEIR_MASTER_KEY is not set')
      }
      expect(existsSync(file())).toBe(false)
      return
    }
    const { current } = await load()
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(idOf(readFileSync(file(), 'utf8'))).toBe(current.id)
    expect((await load()).current.id).toBe(current.id)
  })

  test('of the embedded database may move from its file to the environment', async () => {
    if (store().kind === 'postgres') {
      writeFileSync(file(), OLD)
      expect(await load({ value: NEW })).not.toHaveProperty('previous')
      return
    }
    const made = await load()
    const keys = await load({ value: NEW })
    expect([keys.current.id, keys.previous?.id]).toEqual([idOf(NEW), made.current.id])
    expect(await load({ value: readFileSync(file(), 'utf8') })).not.toHaveProperty('previous')
  })

  test('of the embedded database are not made anew once something is sealed', async () => {
    const first = await load({ value: OLD })
    await openSecretBox(store().db, first)
    const refused = await rejection(load())
    expect(refused).toBeInstanceOf(MasterKeyRefused)
    expect(refused.message).toContain(
      store().kind === 'pglite' ? 'master.key" is missing' : 'WEIR_MASTER_KEY is not set',
    )
    expect(existsSync(file())).toBe(false)
  })

  test('of the embedded database are refused when their file is broken', async () => {
    if (store().kind === 'postgres') return
    writeFileSync(file(), 'half')
    expect((await rejection(load())).message).toContain('master.key')
    rmSync(file())
    writeFileSync(join(folder.path, 'occupied'), '')
    const inFile = loadMasterKeys(store(), { dataDir: join(folder.path, 'occupied') })
    expect(await rejection(inFile)).toBeInstanceOf(MasterKeyRefused)
    chmodSync(folder.path, 0o700)
  })
})
