import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createApiKey } from '../key-material.ts'
import { MIGRATIONS } from '../migration-index.ts'
import type { PresetSlot } from '../schema/api-keys.ts'
import { describeOnBothStores } from '../testing.ts'
import { apiKeyRows } from './api-keys.ts'
import { createOrganisation } from './tenancy.ts'

const DAY_MS = 86_400_000

describeOnBothStores('policies that were stored before anything was rotated', (store) => {
  let organisationId = ''

  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'keys' })).id
  })

  const insert = async (rotationPolicy: object | null, preset: PresetSlot | null = null) => {
    const { publicId, hash, masked } = createApiKey()
    const row = { publicId, hash, maskedKey: masked, name: 'a key', kind: 'organisation-service' as const }
    const policy = { rotationPolicy: rotationPolicy as never, preset }
    return (await apiKeyRows.insert(store().db, { ...row, ...policy, organisationId, scopes: [] })).id
  }
  const read = async (id: string) => {
    const found = await apiKeyRows.find(store().db, { organisationId, reference: id })
    return { policy: found?.rotationPolicy, next: found?.nextRotationAt }
  }

  test('begin their periods with the update; a single time that has passed is gone', async () => {
    const soon = new Date(Date.now() + DAY_MS)
    const ids = {
      weekly: await insert({ rotationPeriod: 'weekly', keyTransitionPeriodMs: 3_600_000 }),
      monthly: await insert({ rotationPeriod: 'monthly' }),
      days: await insert({ rotationPeriodDays: 3 }),
      once: await insert({ nextRotationAt: soon.toISOString() }),
      past: await insert({ nextRotationAt: '2020-01-01T00:00:00.000Z' }),
      preset: await insert({ rotationPeriod: 'weekly' }, 'api'),
      none: await insert(null),
    }
    const { sql: text = '' } = MIGRATIONS.find(({ name }) => name.endsWith('key_rotation')) ?? {}
    const updates = text.split('--> statement-breakpoint').filter((statement) => /^UPDATE/m.test(statement))
    expect(updates).toHaveLength(2)
    const beforeMs = Date.now()
    for (const statement of updates) await store().db.execute(sql.raw(statement))

    const anchorAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const weekly = await read(ids.weekly)
    expect(weekly.policy).toEqual({ rotationPeriod: 'weekly', keyTransitionPeriodMs: 3_600_000, anchorAt })
    const anchorMs = Date.parse(weekly.policy?.anchorAt ?? '')
    expect(Math.abs(anchorMs - beforeMs)).toBeLessThan(10_000)
    expect(Math.abs((weekly.next?.getTime() ?? 0) - anchorMs - 7 * DAY_MS)).toBeLessThan(10_000)
    const monthly = await read(ids.monthly)
    expect(monthly.policy).toEqual({ rotationPeriod: 'monthly', anchorAt })
    expect(((monthly.next?.getTime() ?? 0) - beforeMs) / DAY_MS).toBeWithin(27, 32)
    const days = await read(ids.days)
    expect(Math.abs((days.next?.getTime() ?? 0) - beforeMs - 3 * DAY_MS)).toBeLessThan(10_000)
    expect(await read(ids.once)).toEqual({ policy: { anchorAt }, next: soon })
    for (const id of [ids.past, ids.preset, ids.none]) expect(await read(id)).toEqual({ policy: null, next: null })
  })
})
