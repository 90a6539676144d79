import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { dumpTables } from '../../test/conformance/management/dump.ts'
import { makeForeignObjects } from '../../test/conformance/management/foreign.ts'
import { createKey, createTenant, type Tenant } from '../../test/conformance/management/tenants.ts'
import { copyEmbeddedDatabase } from '../../test/support/embedded-database.ts'
import { systemClock } from '../observe/clock.ts'
import { parseMasterKey } from '../secrets/master-key.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { openStore, type Store } from '../store/db.ts'
import { describeKey } from '../store/key-material.ts'
import { findApiKeyByPublicId } from '../store/objects/api-keys.ts'
import { createWorkspace, deleteWorkspace } from '../store/objects/workspaces.ts'
import { describeOnBothStores, SLOW_START_MS, temporaryFolder, until } from '../store/testing.ts'
import type { Db } from '../store/types.ts'
import { type Link, openLink } from './data/link.ts'
import { type Mirror, openMirror } from './data/mirror.ts'
import { MIRRORED_TABLES, OWN_TABLES } from './tables.ts'
import { type ControlSide, openControlSide, SILENT_LOG } from './test-support.ts'

const DATA_MASTER = { current: parseMasterKey('the master key of the data plane of these tests', 'a test') }

type Row = Readonly<Record<string, unknown>>
type Tables = ReadonlyMap<string, readonly Row[]>

const readTables = async (db: Db): Promise<Tables> => {
  const dump = await dumpTables(db)
  return new Map([...dump].map(([name, rows]) => [name, rows.map((row) => JSON.parse(row) as Row)]))
}

/** What a deployment is to have, told apart by plain code: rows of its workspaces, and what those rows belong to. */
const allowedRows = (all: Tables, organisationId: string, deploymentId: string): Map<string, readonly Row[]> => {
  const rows = (name: string): readonly Row[] => all.get(name) ?? []
  const ids = (found: readonly Row[]) => new Set(found.map(({ id }) => id))
  const own = rows('workspaces').filter((row) => row.organisation_id === organisationId)
  const isAll = rows('deployments').find(({ id }) => id === deploymentId)?.allow_all_workspaces === true
  const named = new Set(
    rows('deployment_workspaces').flatMap((row) => (row.deployment_id === deploymentId ? row.workspace_id : [])),
  )
  const workspaces = own.filter(({ id }) => isAll || named.has(id))
  const places = ids(workspaces)
  const inPlace = (name: string) => rows(name).filter((row) => places.has(row.workspace_id))
  const partsOf = (name: string, column: string, objects: readonly Row[]) => {
    const known = ids(objects)
    return rows(name).filter((row) => known.has(row[column]))
  }
  const ofOrganisation = (name: string) =>
    rows(name).filter(
      (row) => row.organisation_id === organisationId && (row.workspace_id === null || places.has(row.workspace_id)),
    )
  const providers = inPlace('providers')
  const used = new Set(providers.map((row) => row.integration_id))
  const guardrails = ofOrganisation('guardrails')
  const referred = new Set(inPlace('secret_reference_workspaces').map((row) => row.secret_reference_id))
  return new Map<string, readonly Row[]>([
    ['organisations', rows('organisations').filter(({ id }) => id === organisationId)],
    ['workspaces', workspaces],
    ['data_keys', rows('data_keys').filter((row) => row.organisation_id === organisationId)],
    ['providers', providers],
    ['integrations', rows('integrations').filter(({ id }) => used.has(id))],
    ['integration_models', rows('integration_models').filter((row) => used.has(row.integration_id))],
    ['integration_workspaces', inPlace('integration_workspaces').filter((row) => used.has(row.integration_id))],
    [
      'secret_references',
      rows('secret_references').filter(
        (row) => row.organisation_id === organisationId && (row.allow_all_workspaces === true || referred.has(row.id)),
      ),
    ],
    ['secret_reference_workspaces', inPlace('secret_reference_workspaces')],
    ['configs', inPlace('configs')],
    ['config_versions', partsOf('config_versions', 'config_id', inPlace('configs'))],
    ['guardrails', guardrails],
    ['guardrail_versions', partsOf('guardrail_versions', 'guardrail_id', guardrails)],
    ['guardrail_mcp_servers', partsOf('guardrail_mcp_servers', 'guardrail_id', guardrails)],
    ['guardrail_defaults', ofOrganisation('guardrail_defaults')],
    ['guardrail_exclusions', inPlace('guardrail_exclusions')],
    ['collections', inPlace('collections')],
    ['prompts', inPlace('prompts')],
    ['prompt_versions', partsOf('prompt_versions', 'prompt_id', inPlace('prompts'))],
    ['labels', inPlace('labels')],
    ['prompt_labels', partsOf('prompt_labels', 'prompt_id', inPlace('prompts'))],
    ['prompt_partials', inPlace('prompt_partials')],
    ['prompt_partial_versions', partsOf('prompt_partial_versions', 'partial_id', inPlace('prompt_partials'))],
    ['rate_limit_policies', inPlace('rate_limit_policies')],
    ['usage_limit_policies', inPlace('usage_limit_policies')],
    ['api_keys', inPlace('api_keys').filter((row) => row.status !== 'revoked')],
  ])
}

/** As both sides show it: data keys are wrapped by different keys, and secrets that wait for their owner stay. */
const comparable = (tables: ReadonlyMap<string, readonly Row[]>): Record<string, readonly string[]> => {
  const { wrapped: _, ...none } = { wrapped: undefined }
  return Object.fromEntries(
    MIRRORED_TABLES.map(({ name, hidden = [] }) => [
      name,
      (tables.get(name) ?? [])
        .map((row) =>
          JSON.stringify({ ...row, ...none, ...Object.fromEntries(hidden.map((column) => [column, null])) }),
        )
        .toSorted(),
    ]),
  )
}

describeOnBothStores('a data plane of a control plane', (store) => {
  const folder = temporaryFolder()
  let data: Store
  let tenant: Tenant
  let control: ControlSide
  let mirror: Mirror
  let link: Link
  /** By which other objects are made. */
  let lastingKey: unknown
  const isOfSecond = (row: Row): boolean =>
    row.workspace_id === tenant.second.id && row.public_id === describeKey(tenant.second.serviceKey).publicId

  const connect = async (): Promise<void> => {
    mirror = await openMirror(data.db, DATA_MASTER)
    link = openLink({
      ...{ client: control.client, mirror, clock: systemClock, log: SILENT_LOG, version: '0.0.0' },
      ...{ url: 'https://control.example', refusedGraceMs: 60_000, random: () => 0, silenceMs: 5_000 },
    })
  }

  beforeAll(async () => {
    await copyEmbeddedDatabase(folder.path)
    data = await openStore({ dataDir: folder.path })
    tenant = await createTenant(store().db, 'ours')
    const theirs = await createTenant(store().db, 'theirs')
    await makeForeignObjects(store().db, theirs)
    await makeForeignObjects(store().db, tenant)
    const { id } = (await readTables(store().db)).get('api_keys')?.find(isOfSecond) ?? {}
    lastingKey = id
    control = await openControlSide(store(), tenant.organisationId)
    await connect()
  }, SLOW_START_MS)
  afterAll(async () => {
    await link?.close()
    await control?.close()
    await data?.close()
    folder.remove()
  }, SLOW_START_MS)

  /** Waits until the data plane has what it is to have. Nothing changes there meanwhile, so that this is read once. */
  const settled = async (): Promise<void> => {
    const wanted = comparable(allowedRows(await readTables(store().db), tenant.organisationId, control.deploymentId))
    let found = comparable(await readTables(data.db))
    // Looked at now and then: each look reads all of a database.
    for (let looks = 0; looks < 100 && !Bun.deepEquals(found, wanted); looks++) {
      await Bun.sleep(100)
      found = comparable(await readTables(data.db))
    }
    expect(found).toEqual(wanted)
  }

  test('of every table it is said whether a data plane has it', async () => {
    const names = [...(await dumpTables(data.db)).keys()]
    const said = [...MIRRORED_TABLES.map(({ name }) => name), ...Object.keys(OWN_TABLES)]
    expect(said.toSorted()).toEqual(names.toSorted())
  })

  test('has the organisation, and nothing of workspaces that it is not allowed', async () => {
    await link.ready(20_000)
    await settled()
    const counts = await readTables(data.db)
    expect(counts.get('organisations')).toHaveLength(1)
    expect(counts.get('workspaces')).toHaveLength(0)
    expect(counts.get('api_keys')).toHaveLength(0)
    expect(link.state).toMatchObject({ isConnected: true, hasSnapshot: true, hasEnded: false, problem: undefined })
  })

  test('opens what is sealed, and no text of its disk is a key in clear', async () => {
    await control.allow([tenant.second.id])
    const { db } = store()
    const sealed = await db.transaction((transaction) =>
      control.secretBox.seal(transaction, tenant.organisationId, 'record', 'key', 'sk-secret-of-a-provider'),
    )
    await settled()
    const box = await openSecretBox(data.db, DATA_MASTER)
    expect(await box.open(tenant.organisationId, 'record', 'key', sealed)).toBe('sk-secret-of-a-provider')
    const { current } = { current: parseMasterKey('another master key, which somebody else has made up', 'a test') }
    await expect(openSecretBox(data.db, { current })).rejects.toThrow('master key')
    const sent = control.sent.flatMap((line) => /"key\\":\\"([A-Za-z0-9+/=]{44})/.exec(line)?.[1] ?? [])
    expect(sent.length).toBeGreaterThan(0)
    const dump = [...(await dumpTables(data.db)).values()].flat().join()
    for (const key of sent) {
      expect(dump).not.toContain(key)
      expect(dump).not.toContain(Buffer.from(key, 'base64').toString('hex'))
    }
  })

  /** Changes of the control plane, by the numbers that they draw. */
  const changes: readonly ((db: Db, pick: <Item>(items: readonly Item[]) => Item | undefined) => Promise<unknown>)[] = [
    (db, pick) => createKey(db, 'workspace-service', placeOf(pick([tenant.first.id, tenant.second.id]))),
    async (db, pick) => {
      const { id } = pick(await keysOf(db)) ?? {}
      await db.execute(sql`update api_keys set status = 'revoked', last_updated_at = now() where id = ${id ?? null}`)
    },
    // By hand, without a thought for the time beside it.
    async (db, pick) => {
      const { id } = pick(await keysOf(db)) ?? {}
      await db.execute(sql`update api_keys set name = name || '!' where id = ${id ?? null}`)
    },
    async (db, pick) => {
      const { id } = pick(await keysOf(db)) ?? {}
      await db.execute(sql`delete from api_keys where id = ${id ?? null}`)
    },
    (db) => makeForeignObjects(db, tenant),
    (_, pick) =>
      control.allow(pick([[tenant.first.id], [tenant.second.id], [tenant.first.id, tenant.second.id], []]) ?? []),
    (_, pick) => control.allow([], pick([true, false])),
    async (db) => {
      const { organisationId } = tenant
      const slug = `ws-${crypto.randomUUID()}`
      await createWorkspace(db, { organisationId, name: slug, slug })
    },
    async (db, pick) => {
      const { first, second } = tenant
      const rows = (await readTables(db)).get('workspaces') ?? []
      const { id } = pick(rows.filter((row) => row.organisation_id === tenant.organisationId)) ?? {}
      if (id === undefined || id === first.id || id === second.id) return
      await db.transaction((transaction) => deleteWorkspace(transaction, String(id)))
    },
    // A name goes from one row to another.
    async (db) => {
      await db.transaction(async (transaction) => {
        const [one, other] = ((await readTables(transaction)).get('configs') ?? []).filter(
          (row) => row.workspace_id === tenant.second.id,
        )
        if (one === undefined || other === undefined) return
        await transaction.execute(sql`update configs set is_default = false where workspace_id = ${tenant.second.id}`)
        await transaction.execute(sql`update configs set slug = slug || '-' where id = ${one.id}`)
        await transaction.execute(sql`update configs set is_default = true, slug = ${one.slug} where id = ${other.id}`)
      })
    },
    async (db, pick) => {
      const table = pick(['providers', 'prompts', 'rate_limit_policies', 'usage_limit_policies', 'guardrails']) ?? ''
      const { id } = pick((await readTables(db)).get(table) ?? []) ?? {}
      await db.execute(sql`update ${sql.identifier(table)} set name = 'changed' where id = ${id ?? null}`)
    },
    async (db, pick) => {
      const rows = (await readTables(db)).get('prompts') ?? []
      const { id } = pick(rows) ?? {}
      await db.execute(sql`delete from prompts where id = ${id ?? null}`)
    },
    async () => control.cut(),
    async () => control.cut(true),
    async () => control.cut(false),
    async () => {
      await link.close()
      await connect()
    },
  ]
  const placeOf = (workspaceId: string | undefined) => ({
    organisationId: tenant.organisationId,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  })
  const keysOf = async (db: Db): Promise<readonly Row[]> =>
    ((await readTables(db)).get('api_keys') ?? []).filter(
      (row) => row.organisation_id === tenant.organisationId && row.workspace_id !== null && row.id !== lastingKey,
    )

  test(
    'whatever changes, and whenever the connection breaks, it ends with the rows that it is allowed',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(changes.length - 1), fc.nat(1000)), { minLength: 4, maxLength: 8 }),
          async (drawn) => {
            for (const [which, number] of drawn) {
              await changes[which]?.(store().db, (items) => items[number % items.length])
            }
            control.cut(false)
            await settled()
          },
        ),
        // A failure is told as it came: to look for a shorter one takes longer than the test may.
        { numRuns: 5, endOnFailure: true },
      )
      await makeForeignObjects(store().db, tenant)
      await control.allow([], true)
      await settled()
      expect((await readTables(data.db)).get('providers')?.length).toBeGreaterThan(0)
    },
    SLOW_START_MS * 2,
  )

  test('a connection again asks for nothing that it has', async () => {
    await settled()
    control.sent.length = 0
    control.cut()
    await until(() => control.sent.some((line) => line.includes('"isSynced":true')))
    expect(control.sent.filter((line) => line.startsWith('{"type":"part"'))).toEqual([])
  })

  test('a control plane that is away for an hour: it goes on by what it has, also when it is opened again', async () => {
    const before = await readTables(data.db)
    let passedMs = 0
    const open = async (): Promise<void> => {
      await link.close()
      mirror = await openMirror(data.db, DATA_MASTER)
      const now = (): number => Date.now() + passedMs
      link = openLink({
        ...{ client: control.client, mirror, log: SILENT_LOG, version: '0.0.0', url: 'https://control.example' },
        ...{
          clock: { now, monotonicMs: () => performance.now() + passedMs },
          refusedGraceMs: 60_000,
          silenceMs: 5_000,
        },
      })
    }
    control.cut(true)
    await open()
    for (let restarts = 0; restarts < 2; restarts++) {
      passedMs += 30 * 60_000
      await open()
      expect(link.state).toMatchObject({ isConnected: false, hasSnapshot: true, hasEnded: false })
      expect(link.isServing).toBe(true)
      expect(link.state.ageMs).toBeGreaterThanOrEqual(passedMs)
      expect(comparable(await readTables(data.db))).toEqual(comparable(before))
    }
    const token = await createKey(store().db, 'workspace-service', placeOf(tenant.second.id))
    const { publicId } = describeKey(token)
    const isThere = async (): Promise<boolean> => (await findApiKeyByPublicId(data.db, publicId)) !== undefined
    control.cut(false)
    await until(isThere)
    // Once more, for the key to end meanwhile.
    control.cut(true)
    await store().db.execute(sql`update api_keys set status = 'revoked' where public_id = ${publicId}`)
    passedMs += 60 * 60_000
    expect(await isThere()).toBe(true)
    const returnedAtMs = performance.now()
    control.cut(false)
    await until(async () => !(await isThere()))
    expect(performance.now() - returnedAtMs).toBeLessThan(4_000)
    await until(() => link.state.ageMs !== undefined && link.state.ageMs < 30 * 60_000)
  })

  describe('the end', () => {
    test('credentials that were rotated: serves on for the time that was set, then its keys end', async () => {
      let nowMs = Date.now()
      await link.close()
      mirror = await openMirror(data.db, DATA_MASTER)
      const { client } = control
      link = openLink({
        ...{ client, mirror, log: SILENT_LOG, version: '0.0.0', url: 'https://control.example', silenceMs: 5_000 },
        ...{ clock: { now: () => nowMs, monotonicMs: () => performance.now() }, refusedGraceMs: 60_000 },
        ...{ random: () => 0, refusedRetryMs: 5 },
      })
      await until(() => link.state.isConnected)
      await store().db.execute(sql`update deployments set username = 'other' where id = ${control.deploymentId}`)
      await until(() => link.state.problem?.includes('credentials') === true)
      expect((await readTables(data.db)).get('api_keys')?.length).toBeGreaterThan(0)
      expect(link.state).toMatchObject({ hasSnapshot: true, hasEnded: false })
      nowMs += 60_001
      await until(() => link.state.hasEnded)
      const left = await readTables(data.db)
      expect(MIRRORED_TABLES.filter(({ name }) => left.get(name)?.length !== 0)).toEqual([])
      await store().db.execute(
        sql`update deployments set username = ${control.username} where id = ${control.deploymentId}`,
      )
      await until(() => link.state.hasSnapshot)
      expect(link.state.hasEnded).toBe(false)
      await settled()
    })

    test('a deployment that is archived: its keys end at once', async () => {
      await store().db.execute(sql`update deployments set status = 'archived' where id = ${control.deploymentId}`)
      await until(() => link.state.hasEnded)
      expect((await readTables(data.db)).get('api_keys')).toEqual([])
      await store().db.execute(sql`update deployments set status = 'active' where id = ${control.deploymentId}`)
      await until(() => link.state.hasSnapshot)
      await settled()
    })

    test('a control plane of another organisation is refused, and changes nothing', async () => {
      const theirs = await createTenant(store().db, 'others')
      const other = await openControlSide(store(), theirs.organisationId)
      await other.allow([], true)
      await link.close()
      const before = await dumpTables(data.db)
      link = openLink({
        ...{ client: other.client, mirror, clock: systemClock, log: SILENT_LOG, version: '0.0.0' },
        ...{ url: 'https://other.example', refusedGraceMs: 0, random: () => 0, silenceMs: 5_000 },
      })
      await until(() => link.state.problem?.includes('another organisation') === true)
      expect((await dumpTables(data.db)).get('api_keys')).toEqual(before.get('api_keys') ?? [])
      expect(link.state.hasSnapshot).toBe(true)
      await other.close()
    })
  })
})
