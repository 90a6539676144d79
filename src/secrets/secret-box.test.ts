import { beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readDataKeys } from '../store/data-keys.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { dataKeys, secretCanary } from '../store/schema/secrets.ts'
import { describeOnBothStores, emptyStore, rejection } from '../store/testing.ts'
import { MasterKeyRefused, SecretUnreadable } from './errors.ts'
import { MasterKey } from './master-key.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { openSecretBox, type SecretBox } from './secret-box.ts'

describeOnBothStores('secret box', (store) => {
  const master = new MasterKey(randomBytes(32))
  let organisationId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
    otherId = (await createOrganisation(store().db, { name: 'other' })).id
  })

  const openBox = (current = master) => openSecretBox(store().db, { current })
  const sealIn = (box: SecretBox, organisation: string, field = 'key', secret = 'canary-secret') =>
    store().db.transaction((transaction) => box.seal(transaction, organisation, 'record', field, secret))

  test('opens what it sealed, after a restart and in another process too', async () => {
    const [box, elsewhere] = [await openBox(), await openBox()]
    const sealed = await sealIn(box, organisationId)
    expect(await box.open(organisationId, 'record', 'key', sealed)).toBe('canary-secret')
    const first = elsewhere.open(organisationId, 'record', 'key', sealed)
    expect(first).toBeInstanceOf(Promise)
    expect(await first).toBe('canary-secret')
    expect(elsewhere.open(organisationId, 'record', 'key', sealed)).toBe('canary-secret')
    expect((await openBox()).open(organisationId, 'record', 'key', sealed)).toBe('canary-secret')
  })

  test('opens nothing in another organisation, record or field', async () => {
    const box = await openBox()
    const sealed = await sealIn(box, organisationId)
    await sealIn(box, otherId)
    for (const [organisation, record, field] of [
      [otherId, 'record', 'key'],
      [organisationId, 'other', 'key'],
      [organisationId, 'record', 'configurations.secret'],
      [crypto.randomUUID(), 'record', 'key'],
    ] as const) {
      const opened = (async () => box.open(organisation, record, field, sealed))()
      expect(await rejection(opened)).toBeInstanceOf(SecretUnreadable)
    }
    expect(() => box.open(organisationId, 'record', 'key', 'canary-secret')).toThrow(SecretUnreadable)
  })

  test('has one data key for an organisation, however many seal at once', async () => {
    const boxes = [await openBox(), await openBox()]
    const sealed = await Promise.all(
      Array.from({ length: 12 }, (_, index) => sealIn(boxes[index % 2] as SecretBox, organisationId, `f${index}`)),
    )
    expect(await readDataKeys(store().db)).toHaveLength(1)
    for (const [index, text] of sealed.entries()) {
      expect(await boxes[(index + 1) % 2]?.open(organisationId, 'record', `f${index}`, text)).toBe('canary-secret')
    }
  })

  test('forgets a data key that was undone with its transaction', async () => {
    const box = await openBox()
    const undone = store().db.transaction(async (transaction) => {
      await box.seal(transaction, organisationId, 'record', 'key', 'secret')
      throw new Error('undone')
    })
    await rejection(undone)
    const sealed = await sealIn(box, organisationId)
    expect((await openBox()).open(organisationId, 'record', 'key', sealed)).toBe('canary-secret')
  })

  test('leaves nothing of secrets and keys in the database', async () => {
    const box = await openBox()
    await sealIn(box, organisationId)
    const rows = [await store().db.select().from(dataKeys), await store().db.select().from(secretCanary)]
    const dump = JSON.stringify(rows)
    expect(dump).not.toContain('canary-secret')
    for (const purpose of ['data key wrapping', 'canary', 'id']) {
      const bytes = master.derive(purpose)
      for (const spelling of ['hex', 'base64', 'base64url'] as const)
        expect(dump).not.toContain(bytes.toString(spelling))
    }
  })

  test('does not open with another master key, and says what to do', async () => {
    await openBox()
    const refused = await rejection(openBox(new MasterKey(randomBytes(32))))
    expect(refused).toBeInstanceOf(MasterKeyRefused)
    expect(refused.message).toContain('WEIR_MASTER_KEY')
    expect(refused.message).toContain(master.id)
    await openBox()
  })

  test('makes one canary when processes start together', async () => {
    const others = Array.from({ length: 4 }, () => new MasterKey(randomBytes(32)))
    const opened = await Promise.allSettled(others.map((key) => openBox(key)))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store().db.select().from(secretCanary)).toHaveLength(1)
  })

  test('refuses an altered canary and an altered data key', async () => {
    const box = await openBox()
    await sealIn(box, organisationId)
    await sealIn(box, otherId)
    const [first, second] = await readDataKeys(store().db)
    await store()
      .db.update(dataKeys)
      .set({ wrapped: first?.wrapped ?? '' })
    expect(await rejection(openBox())).toBeInstanceOf(SecretUnreadable)
    expect(second?.wrapped).not.toBe(first?.wrapped)
    await store()
      .db.update(secretCanary)
      .set({ sealed: first?.wrapped ?? '' })
    expect(await rejection(openBox())).toBeInstanceOf(SecretUnreadable)
  })

  test('makes no data key with a master key that was replaced meanwhile', async () => {
    const [next, box] = [new MasterKey(randomBytes(32)), await openBox()]
    const sealed = await sealIn(box, organisationId)
    await box.open(organisationId, 'record', 'key', sealed)
    const newer = await openSecretBox(store().db, { current: next, previous: master })
    await rotateMasterKey(store().db, { current: next, previous: master })
    expect(await rejection(sealIn(box, otherId))).toBeInstanceOf(MasterKeyRefused)
    const later = await sealIn(newer, otherId)
    expect(await newer.open(otherId, 'record', 'key', later)).toBe('canary-secret')
    // What it knew already goes on working until it is started again, with the new key.
    expect(box.open(organisationId, 'record', 'key', sealed)).toBe('canary-secret')
  })
})
