import { beforeEach, expect, test } from 'bun:test'
import { isUniqueViolation } from '../errors.ts'
import { describeOnBothStores, emptyStore, rejection } from '../testing.ts'
import { configRows } from './configs.ts'
import {
  findOrganisationDefaults,
  findWorkspaceDefaults,
  holdDefaults,
  listExclusions,
  putDefaults,
  putExclusions,
} from './guardrail-defaults.ts'
import { listMappings, putMapping, removeOtherMappings } from './guardrail-mcp-servers.ts'
import { atNewest, findGuardrailUsers, GUARDRAIL_SLUG_TAKEN, type Guardrail, guardrailRows } from './guardrails.ts'
import { newId } from './rows.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace, deleteWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }

const ACTIONS = {
  deny: true,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'after',
  stream_window: 200,
} as const

const checks = (id: string) => [{ id, parameters: {}, is_enabled: true }]

describeOnBothStores('guardrails', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (slug: string, of: string | null = workspaceId) =>
    guardrailRows.create(store().db, {
      organisationId,
      workspaceId: of,
      slug,
      name: slug,
      target: 'llm',
      content: { checks: checks('default.contains'), actions: ACTIONS },
      by: 'ann',
    })

  const slugs = (rows: readonly Guardrail[]) => rows.map(({ slug }) => slug)

  test('come back as they were stored, by id and by slug, for their place alone', async () => {
    const made = await create('pg-a')
    expect(await atNewest(store().db, made.object)).toEqual(made)
    const found = (of: string | null, reference: string) =>
      guardrailRows.find(store().db, { organisationId, of, reference })
    expect(await found(workspaceId, made.object.id.toUpperCase())).toEqual(made.object)
    expect(await found(workspaceId, 'pg-a')).toEqual(made.object)
    expect(await found(otherId, 'pg-a')).toBeUndefined()
    expect(await found(null, 'pg-a')).toBeUndefined()
    expect((await create('pg-o', null)).object.workspaceId).toBeNull()
    expect(await found(null, 'pg-o')).toMatchObject({ slug: 'pg-o', version: 1, status: 'active' })
    expect(await found(workspaceId, 'pg-o')).toBeUndefined()
  })

  test('calls of a workspace can name its own and those of the organisation', async () => {
    for (const [slug, of] of [
      ['pg-a', workspaceId],
      ['pg-b', otherId],
      ['pg-o', null],
    ] as const)
      await create(slug, of)
    const list = async (wanted: object) =>
      slugs((await guardrailRows.list(store().db, { organisationId, ...wanted }, ALL)).rows)
    expect(await list({ usableIn: workspaceId })).toEqual(['pg-a', 'pg-o'])
    expect(await list({ of: null })).toEqual(['pg-o'])
    expect(await list({ of: otherId })).toEqual(['pg-b'])
  })

  test('one slug is one guardrail in the whole organisation', async () => {
    await create('pg-a')
    expect(isUniqueViolation(await rejection(create('pg-a', null)), GUARDRAIL_SLUG_TAKEN)).toBe(true)
  })

  test('what they say later is a new version', async () => {
    const made = await create('pg-a')
    const content = { checks: checks('default.regexMatch'), actions: { ...ACTIONS, deny: false } }
    const changed = await guardrailRows.change(store().db, made, { content, by: 'bob' })
    expect(changed).toMatchObject({ object: { version: 2, updatedBy: 'bob', ownerId: 'ann' }, version: content })
    expect(await guardrailRows.findVersion(store().db, made.object.id, 1)).toEqual(made.version)
  })

  test('are used by defaults and by what active configs say now', async () => {
    const { object: own } = await create('pg-own')
    const { object: shared } = await create('pg-shared', null)
    const { object: unused } = await create('pg-own-longer')
    const { db } = store()
    const config = async (slug: string, of: string, config: Record<string, unknown>) =>
      configRows.create(db, {
        ...{ organisationId, workspaceId: of, slug, name: slug, isDefault: false },
        content: { config, secrets: [] },
        by: 'ann',
      })
    const first = await config('pc-a', workspaceId, { targets: [{ input_guardrails: ['x', own.slug] }] })
    await config('pc-b', otherId, { before_request_hooks: [{ id: shared.id.toUpperCase() }], provider: own.slug })
    const archived = await config('pc-c', workspaceId, { output_guardrails: [own.id] })
    await configRows.change(db, archived, { by: 'ann', status: 'archived' })
    await putDefaults(db, { organisationId, workspaceId }, 'input', [own.id, shared.id])
    await putDefaults(db, { organisationId, workspaceId }, 'output', [own.id])
    await putDefaults(db, { organisationId, workspaceId: null }, 'output', [shared.id])
    expect(await findGuardrailUsers(db, own)).toEqual([
      { kind: 'workspace', slug: 'ws-w' },
      { kind: 'config', slug: 'pc-a' },
    ])
    expect(await findGuardrailUsers(db, shared)).toEqual([
      { kind: 'workspace', slug: 'ws-w' },
      { kind: 'organisation', slug: null },
      { kind: 'config', slug: 'pc-b' },
    ])
    expect(await findGuardrailUsers(db, unused)).toEqual([])
    await configRows.change(db, first, { by: 'ann', content: { config: { provider: 'mock' }, secrets: [] } })
    expect(await findGuardrailUsers(db, own)).toEqual([{ kind: 'workspace', slug: 'ws-w' }])
  })

  test('one that is a default cannot be deleted; a workspace goes with its own', async () => {
    const { object: own } = await create('pg-own')
    const { object: shared } = await create('pg-shared', null)
    const { db } = store()
    await putDefaults(db, { organisationId, workspaceId }, 'input', [own.id, shared.id])
    await putExclusions(db, 'input', { excluded: [workspaceId], included: [] })
    expect(await rejection(guardrailRows.remove(db, shared.id))).toBeInstanceOf(Error)
    await db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    expect(slugs((await guardrailRows.list(db, { organisationId }, ALL)).rows)).toEqual(['pg-shared'])
    await guardrailRows.remove(db, shared.id)
  })

  test('defaults keep their order, and each set is replaced as a whole', async () => {
    const [a, b, c] = [await create('pg-a'), await create('pg-b'), await create('pg-c', null)]
    const { db } = store()
    const ofWorkspace = { organisationId, workspaceId }
    const ids = (...of: (typeof a)[]) => of.map(({ object }) => object.id)
    await db.transaction(async (transaction) => {
      await holdDefaults(transaction, ofWorkspace)
      await putDefaults(transaction, ofWorkspace, 'input', ids(c, a, b))
    })
    await putDefaults(db, { organisationId, workspaceId: null }, 'input', ids(c))
    expect(await findWorkspaceDefaults(db, [workspaceId, otherId])).toEqual(
      new Map([[workspaceId, { input: ['pg-c', 'pg-a', 'pg-b'], output: [] }]]),
    )
    await putDefaults(db, ofWorkspace, 'input', ids(b))
    await putDefaults(db, ofWorkspace, 'output', ids(a))
    expect((await findWorkspaceDefaults(db, [workspaceId])).get(workspaceId)).toEqual({
      input: ['pg-b'],
      output: ['pg-a'],
    })
    expect(await findOrganisationDefaults(db, organisationId)).toEqual({ input: ['pg-c'], output: [] })
    await putDefaults(db, { organisationId, workspaceId: null }, 'input', [])
    expect(await findOrganisationDefaults(db, organisationId)).toEqual({ input: [], output: [] })
    expect(await findWorkspaceDefaults(db, [])).toEqual(new Map())
  })

  test('workspaces are excluded by stage, as often as it is said', async () => {
    const { db } = store()
    for (const _ of [1, 2]) await putExclusions(db, 'input', { excluded: [otherId, workspaceId], included: [] })
    await putExclusions(db, 'output', { excluded: [workspaceId], included: [otherId] })
    const excluded = async (stage: 'input' | 'output') =>
      (await listExclusions(db, organisationId, stage)).map(({ slug }) => slug)
    expect(await excluded('input')).toEqual(['ws-w', 'ws-v'])
    await putExclusions(db, 'input', { excluded: [], included: [workspaceId] })
    expect(await excluded('input')).toEqual(['ws-v'])
    expect(await excluded('output')).toEqual(['ws-w'])
    const { id } = await createOrganisation(db, { name: 'another' })
    expect(await listExclusions(db, id, 'input')).toEqual([])
  })

  test('servers are added, written anew and taken away', async () => {
    const { object } = await create('pg-a')
    const { db } = store()
    const [first, second] = [newId(), newId()]
    const made = await putMapping(db, object.id, { mcpServerId: first, runOn: ['input'], capabilityIds: [] })
    await putMapping(db, object.id, { mcpServerId: second, runOn: ['input', 'output'], capabilityIds: [newId()] })
    const again = await putMapping(db, object.id, { mcpServerId: first, runOn: ['output'], capabilityIds: [second] })
    expect(again).toMatchObject({ id: made.id, runOn: ['output'], capabilityIds: [second] })
    const servers = async () => (await listMappings(db, object.id)).map(({ mcpServerId }) => mcpServerId)
    expect(await servers()).toEqual([first, second])
    await removeOtherMappings(db, object.id, [second])
    expect(await servers()).toEqual([second])
    await removeOtherMappings(db, object.id, [])
    expect(await servers()).toEqual([])
  })
})
