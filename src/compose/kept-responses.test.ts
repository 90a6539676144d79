import { beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { StoreUnavailable } from '../errors/gateway-error.ts'
import type { KeptResponses, ResponseToKeep } from '../kit/kept-responses.ts'
import { MasterKey } from '../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../secrets/secret-box.ts'
import { clearExpiredResponses } from '../store/objects/kept-responses.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { keptResponses } from '../store/schema/kept-responses.ts'
import { workspaces } from '../store/schema/tenancy.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../store/testing.ts'
import { createKeptResponses } from './kept-responses.ts'
import { createLocalKeptResponses } from './local-kept-responses.ts'

const HOUR_MS = 3_600_000

const toKeep = (id: string, workspaceId: string, more: Partial<ResponseToKeep> = {}): ResponseToKeep => ({
  id,
  workspaceId,
  organisationId: 'org',
  bytes: 100,
  forMs: HOUR_MS,
  read: () => ({ input: [{ text: `asked by ${id}` }], response: { id, output: [] } }),
  ...more,
})

/** What holds wherever they are kept. */
const keepsThem = (
  open: () => { kept: KeptResponses; organisationId: string; workspaceId: string; otherId: string },
) => {
  const keep = (id: string, more: Partial<ResponseToKeep> = {}) => {
    const { kept, organisationId, workspaceId } = open()
    kept.keep(toKeep(id, workspaceId, { organisationId, ...more }))
  }

  test('finds one at once, for its workspace alone', async () => {
    const { kept, workspaceId, otherId } = open()
    keep('r-1')
    const found = {
      id: 'r-1',
      previousId: undefined,
      input: [{ text: 'asked by r-1' }],
      response: { id: 'r-1', output: [] },
    }
    expect(await kept.find(workspaceId, 'r-1')).toEqual(found)
    expect(await kept.find(otherId, 'r-1')).toBeUndefined()
    expect(await kept.find(workspaceId, 'r-2')).toBeUndefined()
    expect(await kept.delete(otherId, 'r-1')).toBe(false)
    expect(await kept.delete(workspaceId, 'r-1')).toBe(true)
    expect(await kept.find(workspaceId, 'r-1')).toBeUndefined()
    expect(await kept.delete(workspaceId, 'r-1')).toBe(false)
  })

  test('tells a conversation from its beginning, each branch for itself', async () => {
    const { kept, workspaceId } = open()
    keep('c-1')
    keep('c-2', { previousId: 'c-1' })
    keep('c-3', { previousId: 'c-2' })
    keep('c-4', { previousId: 'c-1' })
    const ids = async (id: string) => (await kept.conversation(workspaceId, id)).map((each) => each.id)
    expect(await ids('c-3')).toEqual(['c-1', 'c-2', 'c-3'])
    expect(await ids('c-4')).toEqual(['c-1', 'c-4'])
    await kept.delete(workspaceId, 'c-2')
    expect(await ids('c-3')).toEqual([])
    expect(await ids('none')).toEqual([])
  })

  test('forgets what has expired', async () => {
    const { kept, workspaceId } = open()
    keep('e-1', { forMs: -1 })
    keep('e-2', { previousId: 'e-1' })
    await kept.delete(workspaceId, 'none')
    await until(async () => (await kept.conversation(workspaceId, 'e-2')).length === 0)
  })
}

describe('kept by a process', () => {
  const kept = createLocalKeptResponses(() => 0)
  keepsThem(() => ({ kept, organisationId: 'org', workspaceId: 'ours', otherId: 'theirs' }))

  test('the oldest go where there are too many', async () => {
    for (let time = 0; time <= 1_000; time++) kept.keep(toKeep(`m-${time}`, 'many'))
    expect(await kept.find('many', 'm-0')).toBeUndefined()
    expect(await kept.find('many', 'm-1000')).toBeDefined()
    kept.keep(toKeep('huge', 'many', { bytes: 1e9 }))
    expect(await kept.find('many', 'huge')).toBeUndefined()
  })
})

describeOnBothStores('kept in the database', (store) => {
  let secretBox: SecretBox
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''
  let kept: ReturnType<typeof createKeptResponses>
  const lines: unknown[] = []
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (message: string, fields: unknown) => lines.push([message, fields]),
  }
  const clock = { monotonicMs: () => lines.length * 1e9 }

  const addWorkspace = async (slug: string): Promise<string> => {
    const id = crypto.randomUUID()
    await store()
      .db.insert(workspaces)
      .values({ id, organisationId, slug, name: slug } as typeof workspaces.$inferInsert)
    return id
  }
  beforeEach(async () => {
    await emptyStore(store())
    lines.length = 0
    secretBox = await openSecretBox(store().db, { current: new MasterKey(randomBytes(32)) })
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
    workspaceId = await addWorkspace('one')
    otherId = await addWorkspace('other')
    kept = createKeptResponses({ store: store(), secretBox, clock, log })
  })

  const rows = () => store().db.select().from(keptResponses)

  keepsThem(() => ({ kept, organisationId, workspaceId, otherId }))

  test('nothing that was said stands there as it was', async () => {
    kept.keep(toKeep('s-1', workspaceId, { organisationId }))
    await kept.close()
    const [row] = await rows()
    expect(row?.id).toBe('s-1')
    expect(JSON.stringify(row)).not.toContain('asked')
    const again = createKeptResponses({ store: store(), secretBox, clock, log })
    expect((await again.find(workspaceId, 's-1'))?.input).toEqual([{ text: 'asked by s-1' }])
    await again.close()
  })

  test('a conversation that goes on is kept as long as its last response', async () => {
    kept.keep(toKeep('l-1', workspaceId, { organisationId, forMs: HOUR_MS }))
    kept.keep(toKeep('l-2', workspaceId, { organisationId, forMs: 5 * HOUR_MS, previousId: 'l-1' }))
    await kept.close()
    const ends = (await rows()).map(({ expiresAt }) => Math.round((expiresAt.getTime() - Date.now()) / HOUR_MS))
    expect(ends).toEqual([5, 5])
  })

  test('what has expired is removed, and goes with its workspace', async () => {
    kept.keep(toKeep('x-1', workspaceId, { organisationId, forMs: -1 }))
    kept.keep(toKeep('x-2', workspaceId, { organisationId }))
    kept.keep(toKeep('x-3', otherId, { organisationId }))
    await kept.close()
    await clearExpiredResponses(store().db)
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(['x-2', 'x-3'])
    await store().db.delete(workspaces).where(sql`${workspaces.id} = ${otherId}`)
    expect((await rows()).map(({ id }) => id)).toEqual(['x-2'])
  })

  test('one that is deleted before it was written does not come back', async () => {
    kept.keep(toKeep('d-1', workspaceId, { organisationId }))
    await kept.delete(workspaceId, 'd-1')
    await kept.close()
    expect(await rows()).toEqual([])
  })

  test('a database that is away costs the responses, and never a call', async () => {
    const { double, broken } = breakable(store())
    const away = createKeptResponses({ store: double, secretBox, clock, log })
    broken.queries = true
    away.keep(toKeep('a-1', workspaceId, { organisationId }))
    await until(() => lines.length > 0)
    expect(lines).toEqual([['responses could not be kept', expect.objectContaining({ responses: 1 })]])
    expect(await rejection(away.find(workspaceId, 'a-1'))).toBeInstanceOf(StoreUnavailable)
    await away.close()
  })

  test('no more wait than there is room for', async () => {
    const narrow = createKeptResponses({ store: store(), secretBox, clock, log, maxWaiting: 2, maxWaitingBytes: 250 })
    for (const id of ['q-1', 'q-2', 'q-3']) narrow.keep(toKeep(id, workspaceId, { organisationId }))
    await narrow.close()
    narrow.keep(toKeep('q-4', workspaceId, { organisationId, bytes: 251 }))
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(['q-1', 'q-2'])
    expect(lines).toHaveLength(2)
  })
})
