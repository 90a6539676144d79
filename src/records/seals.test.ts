import { beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { RecordedMessage, SealedBodies } from '../core/records.ts'
import { MasterKey } from '../secrets/master-key.ts'
import { rotateMasterKey } from '../secrets/rotate-master-key.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { readDataKeys } from '../store/data-keys.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { describeOnBothStores, emptyStore, rejection } from '../store/testing.ts'
import { BodiesUnreadable, createSeals, type Seals } from './seals.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const CANARY = 'canary: größe 🚀'
const MESSAGES: readonly RecordedMessage[] = [
  {
    side: 'request',
    headers: { 'content-type': 'application/json' },
    method: 'POST',
    url: '/v1/x',
    body: bytes(CANARY),
  },
  { side: 'answer', headers: {}, status: 500, truncated: true },
  { side: 'received', headers: {}, status: 200, body: bytes('') },
]

describeOnBothStores('seals of bodies', (store) => {
  const master = new MasterKey(randomBytes(32))
  let organisationId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
  })

  const openSeals = async (current = master): Promise<Seals> =>
    createSeals(await openSecretBox(store().db, { current }))

  const sealed = (seals: Seals, recordId = 'record', workspaceId = 'workspace'): SealedBodies => {
    const found = seals.seal(organisationId, workspaceId, recordId, MESSAGES)
    if (found === undefined) throw new Error('not prepared')
    return { recordId, organisationId, workspaceId, time: 0, sealed: found }
  }

  test('the first messages of an organisation make its data key, and open again', async () => {
    const seals = await openSeals()
    expect(seals.seal(organisationId, 'workspace', 'record', MESSAGES)).toBeUndefined()
    expect(await readDataKeys(store().db)).toHaveLength(0)
    const preparing = seals.prepare(organisationId, 'workspace')
    expect(preparing).toBeInstanceOf(Promise)
    await preparing
    expect(await readDataKeys(store().db)).toHaveLength(1)
    expect(seals.prepare(organisationId, 'workspace')).toBeUndefined()
    expect(seals.prepare(organisationId, 'other')).toBeUndefined()
    const record = sealed(seals)
    expect(Buffer.from(record.sealed).includes('canary')).toBe(false)
    expect(await seals.open(record)).toEqual([
      { side: 'request', headers: { 'content-type': 'application/json' }, method: 'POST', url: '/v1/x', body: CANARY },
      { side: 'answer', headers: {}, status: 500, truncated: true },
      { side: 'received', headers: {}, status: 200, body: '' },
    ])
  })

  test('several processes at once make one data key', async () => {
    const all = await Promise.all([openSeals(), openSeals(), openSeals()])
    await Promise.all(all.map((seals) => seals.prepare(organisationId, 'workspace')))
    expect(await readDataKeys(store().db)).toHaveLength(1)
    const [first, second] = all
    if (first === undefined || second === undefined) throw new Error('no seals')
    expect(await second.open(sealed(first))).toHaveLength(3)
  })

  test('they open for their own record and workspace alone, unaltered', async () => {
    const seals = await openSeals()
    await seals.prepare(organisationId, 'workspace')
    const record = sealed(seals)
    const flipped = Uint8Array.from(record.sealed)
    flipped[40] = (flipped[40] ?? 0) ^ 1
    for (const wrong of [
      { ...record, recordId: 'other' },
      { ...record, workspaceId: 'other' },
      { ...record, sealed: flipped },
      { ...record, sealed: record.sealed.subarray(0, -1) },
      { ...record, sealed: new Uint8Array(0) },
      { ...record, sealed: bytes('canary in the clear, and a good deal of it') },
    ]) {
      expect(await rejection(seals.open(wrong))).toBeInstanceOf(BodiesUnreadable)
    }
  })

  test('no two of them have the same nonce', async () => {
    const [seals, again] = [await openSeals(), await openSeals()]
    await seals.prepare(organisationId, 'workspace')
    await again.prepare(organisationId, 'workspace')
    const nonces = [seals, again].flatMap((each) =>
      Array.from({ length: 300 }, () => Buffer.from(sealed(each).sealed.subarray(5, 17)).toString('hex')),
    )
    expect(new Set(nonces).size).toBe(600)
  })

  test('a change of the master key leaves them readable', async () => {
    const before = await openSeals()
    await before.prepare(organisationId, 'workspace')
    const record = sealed(before)
    const next = new MasterKey(randomBytes(32))
    await rotateMasterKey(store().db, { current: next, previous: master })
    const after = await openSeals(next)
    expect((await after.open(record))[0]?.body).toBe(CANARY)
  })
})
