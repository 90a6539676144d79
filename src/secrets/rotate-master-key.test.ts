import { beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readDataKeys } from '../store/data-keys.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { describeOnBothStores, emptyStore, rejection } from '../store/testing.ts'
import { MasterKeyRefused } from './errors.ts'
import { MasterKey } from './master-key.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { openSecretBox } from './secret-box.ts'

const ORGANISATIONS = 7

describeOnBothStores('rotateMasterKey', (store) => {
  const [previous, current] = [new MasterKey(randomBytes(32)), new MasterKey(randomBytes(32))]
  const both = { current, previous }
  const sealed = new Map<string, string>()

  beforeEach(async () => {
    await emptyStore(store())
    sealed.clear()
    const box = await openSecretBox(store().db, { current: previous })
    for (let index = 0; index < ORGANISATIONS; index++) {
      const { id } = await createOrganisation(store().db, { name: String(index) })
      sealed.set(id, await store().db.transaction((transaction) => box.seal(transaction, id, 'r', 'f', `secret ${id}`)))
    }
  })

  const expectAllToOpen = async (keys: { current: MasterKey; previous?: MasterKey }) => {
    const box = await openSecretBox(store().db, keys)
    for (const [id, text] of sealed) expect(box.open(id, 'r', 'f', text)).toBe(`secret ${id}`)
  }
  const wrappedByNew = async () =>
    (await readDataKeys(store().db)).filter(({ masterKeyId }) => masterKeyId === current.id).length

  test('leaves every secret as it is, readable with the new key alone', async () => {
    const progress: number[] = []
    const options = { batchSize: 3, onProgress: (count: number) => progress.push(count) }
    expect(await rotateMasterKey(store().db, both, options)).toBe(ORGANISATIONS)
    expect(progress).toEqual([3, 6, 7])
    await expectAllToOpen({ current })
    await expectAllToOpen(both)
    expect(await rejection(openSecretBox(store().db, { current: previous }))).toBeInstanceOf(MasterKeyRefused)
    expect(await rotateMasterKey(store().db, both)).toBe(0)
    expect(await rotateMasterKey(store().db, { current })).toBe(0)
  })

  test('cut off midway, it lets those with both keys work, refuses the others, and is finished by the next run', async () => {
    const cut = rotateMasterKey(store().db, both, {
      batchSize: 2,
      onProgress: (count) => {
        if (count === 4) throw new Error('cut off')
      },
    })
    expect((await rejection(cut)).message).toBe('cut off')
    expect(await wrappedByNew()).toBe(4)
    await expectAllToOpen(both)
    for (const alone of [current, previous]) {
      const refused = await rejection(openSecretBox(store().db, { current: alone }))
      expect(refused).toBeInstanceOf(MasterKeyRefused)
      expect(refused.message).toContain('WEIR_MASTER_KEY_PREVIOUS')
    }
    expect(await rejection(rotateMasterKey(store().db, { current }))).toBeInstanceOf(MasterKeyRefused)
    expect(await rotateMasterKey(store().db, both)).toBe(3)
    await expectAllToOpen({ current })
  })

  test('a gateway with both keys seals and opens through all of it', async () => {
    const box = await openSecretBox(store().db, both)
    const { id } = await createOrganisation(store().db, { name: 'during' })
    let late: Promise<string> | undefined
    await rotateMasterKey(store().db, both, {
      batchSize: 1,
      onProgress: (count) => {
        if (count === 2) {
          late = store().db.transaction((transaction) => box.seal(transaction, id, 'r', 'f', `secret ${id}`))
        }
        for (const [known, text] of sealed) expect(box.open(known, 'r', 'f', text)).toBe(`secret ${known}`)
      },
    })
    sealed.set(id, (await late) ?? '')
    await expectAllToOpen({ current })
    expect(await wrappedByNew()).toBe(ORGANISATIONS + 1)
  })

  test('two runs at once wrap each data key once', async () => {
    const counts = await Promise.all([
      rotateMasterKey(store().db, both, { batchSize: 2 }),
      rotateMasterKey(store().db, both, { batchSize: 2 }),
    ])
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(ORGANISATIONS)
    await expectAllToOpen({ current })
  })

  test('refuses a database with another key, and one without secrets', async () => {
    const stranger = new MasterKey(randomBytes(32))
    expect(await rejection(rotateMasterKey(store().db, { current: stranger }))).toBeInstanceOf(MasterKeyRefused)
    expect(await wrappedByNew()).toBe(0)
    await emptyStore(store())
    expect((await rejection(rotateMasterKey(store().db, both))).message).toContain('Nothing has been sealed')
  })
})
