import { beforeEach, expect, test } from 'bun:test'
import { NO_DEFAULT_GUARDRAILS, type StoredGuardrail } from '../../core/guardrails.ts'
import { StoreUnavailable } from '../errors.ts'
import { putDefaults, putExclusions } from '../objects/guardrail-defaults.ts'
import { type GuardrailAt, guardrailRows } from '../objects/guardrails.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace, deleteWorkspace } from '../objects/workspaces.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { createGuardrailSnapshot, type SealedGuardrail } from './guardrail-snapshot.ts'

const ACTIONS = {
  deny: true,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'window',
  stream_window: 50,
} as const

const FAST = {
  debounceMs: 1,
  pollIntervalMs: 60_000,
  open: async ({ checks }: SealedGuardrail) => checks,
}

describeOnBothStores('guardrail snapshot', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const content = (id: string) => ({
    checks: [{ id, parameters: { words: ['a'] }, is_enabled: true }],
    actions: ACTIONS,
  })

  const create = (slug: string, of: string | null = workspaceId): Promise<GuardrailAt> =>
    guardrailRows.create(store().db, {
      ...{ organisationId, workspaceId: of, slug, name: slug, target: 'llm', by: 'ann' },
      content: content('default.contains'),
    })

  test('finds those of a workspace and of its organisation, by slug and id, and no others', async () => {
    const [own, shared] = [await create('pg-own'), await create('pg-shared', null)]
    await create('pg-other', otherId)
    await guardrailRows.change(store().db, await create('pg-old'), { status: 'archived', by: 'ann' })
    const elsewhere = await createOrganisation(store().db, { name: 'p' })
    const place = { organisationId: elsewhere.id, name: 'x', slug: 'ws-x' }
    const strangerId = (await createWorkspace(store().db, place)).id
    const snapshot = await createGuardrailSnapshot(store(), FAST)
    const expected: StoredGuardrail = {
      ...{ id: own.object.id, slug: 'pg-own', name: 'pg-own', scope: 'workspace', target: 'llm' },
      versionId: own.version.id,
      definition: { type: 'guardrail', checks: own.version.checks, ...ACTIONS },
    }
    expect(snapshot.find(workspaceId, 'pg-own')).toEqual(expected)
    expect(snapshot.find(workspaceId, own.object.id.toUpperCase())).toBe(snapshot.find(workspaceId, 'pg-own'))
    expect(snapshot.find(workspaceId, 'pg-shared')).toMatchObject({ id: shared.object.id, scope: 'organisation' })
    expect(snapshot.find(otherId, shared.object.id)).toBe(snapshot.find(workspaceId, 'pg-shared'))
    for (const [where, reference] of [
      [workspaceId, 'pg-other'],
      [workspaceId, 'pg-old'],
      [workspaceId, 'pg-none'],
      [workspaceId, '__proto__'],
      [otherId, 'pg-own'],
      [otherId, own.object.id],
      [strangerId, 'pg-shared'],
      ['no-such-workspace', 'pg-own'],
    ] as const) {
      expect(snapshot.find(where, reference)).toBeUndefined()
    }
    await snapshot.close()
  })

  test('gives the same object until something of it changes', async () => {
    const [own, other] = [await create('pg-own'), await create('pg-another')]
    await putDefaults(store().db, { organisationId, workspaceId }, 'input', [own.object.id])
    const snapshot = await createGuardrailSnapshot(store(), FAST)
    const find = (slug: string) => snapshot.find(workspaceId, slug)
    const [before, untouched, defaults] = [find('pg-own'), find('pg-another'), snapshot.defaultsOf(workspaceId)]
    await create('pg-new')
    await until(() => find('pg-new') !== undefined)
    expect(find('pg-own')).toBe(before)
    expect(snapshot.defaultsOf(workspaceId)).toBe(defaults)

    const renamed = await guardrailRows.change(store().db, own, { name: 'new', by: 'bob' })
    await until(() => find('pg-own')?.name === 'new')
    expect(find('pg-own')?.versionId).toBe(own.version.id)
    await guardrailRows.change(store().db, renamed, { content: content('default.regexMatch'), by: 'bob' })
    await until(() => find('pg-own')?.definition.checks[0]?.id === 'default.regexMatch')
    expect(snapshot.defaultsOf(workspaceId).input).toEqual([find('pg-own') as StoredGuardrail])
    expect(find('pg-another')).toBe(untouched)
    await guardrailRows.remove(store().db, other.object.id)
    await until(() => find('pg-another') === undefined)
    await snapshot.close()
  })

  test('defaults are those of the organisation and then of the workspace, each once and in order', async () => {
    const ids = new Map<string, string>()
    for (const slug of ['a', 'b', 'c']) ids.set(slug, (await create(`pg-${slug}`, null)).object.id)
    for (const slug of ['x', 'y']) ids.set(slug, (await create(`pg-${slug}`)).object.id)
    const named = (...slugs: string[]) => slugs.map((slug) => ids.get(slug) ?? '')
    const put = (of: string | null, stage: 'input' | 'output', ...slugs: string[]) =>
      putDefaults(store().db, { organisationId, workspaceId: of }, stage, named(...slugs))
    await put(null, 'input', 'b', 'a')
    await put(null, 'output', 'c')
    await put(workspaceId, 'input', 'y', 'a', 'x')
    const snapshot = await createGuardrailSnapshot(store(), FAST)
    const slugs = (of: string) => {
      const { input, output } = snapshot.defaultsOf(of)
      return [input, output].map((set) => set.map(({ slug }) => slug.slice(3)).join(' '))
    }
    expect(slugs(workspaceId)).toEqual(['b a y x', 'c'])
    expect(slugs(otherId)).toEqual(['b a', 'c'])
    expect(snapshot.defaultsOf('no-such-workspace')).toBe(NO_DEFAULT_GUARDRAILS)

    await putExclusions(store().db, 'input', { excluded: [workspaceId, otherId], included: [] })
    await until(() => slugs(otherId)[0] === '')
    expect(slugs(workspaceId)).toEqual(['y a x', 'c'])
    expect(slugs(otherId)).toEqual(['', 'c'])
    await put(null, 'output')
    await until(() => slugs(otherId)[1] === '')
    expect(snapshot.defaultsOf(otherId)).toBe(NO_DEFAULT_GUARDRAILS)
    await putExclusions(store().db, 'input', { excluded: [], included: [otherId] })
    await until(() => slugs(otherId)[0] === 'b a')
    await store().db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    await until(() => snapshot.defaultsOf(workspaceId) === NO_DEFAULT_GUARDRAILS)
    expect(slugs(otherId)[0]).toBe('b a')
    await snapshot.close()
  })

  test('each version is opened once; one that does not open says why, and is tried again', async () => {
    const own = await create('pg-own')
    const failure = new Error('it does not open')
    const opened: string[] = []
    let isBroken = true
    const errors: unknown[] = []
    const snapshot = await createGuardrailSnapshot(store(), {
      ...FAST,
      onError: (error) => errors.push(error),
      open: async ({ guardrailId, checks }) => {
        opened.push(guardrailId)
        if (isBroken) throw failure
        return checks.map((check) => ({ ...check, name: 'opened' }))
      },
    })
    expect(snapshot.find(workspaceId, 'pg-own')?.failure).toBe(failure)
    expect([opened, errors]).toEqual([[own.object.id], [failure]])
    isBroken = false
    const renamed = await guardrailRows.change(store().db, own, { name: 'new', by: 'bob' })
    await until(() => snapshot.find(workspaceId, 'pg-own')?.failure === undefined)
    expect(snapshot.find(workspaceId, 'pg-own')?.definition.checks[0]?.name).toBe('opened')
    await guardrailRows.change(store().db, renamed, { name: 'newer', by: 'bob' })
    await until(() => snapshot.find(workspaceId, 'pg-own')?.name === 'newer')
    expect(snapshot.find(workspaceId, 'pg-own')?.definition.checks[0]?.name).toBe('opened')
    expect(opened).toHaveLength(2)
    await snapshot.close()
  })

  test('what was read before stays in use while the database is away', async () => {
    const made = await create('pg-own')
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const snapshot = await createGuardrailSnapshot(double, { ...FAST, onError: (error) => errors.push(error) })
    broken.queries = true
    await guardrailRows.change(store().db, made, { name: 'new', by: 'bob' })
    await until(() => errors.length > 0)
    expect(snapshot.find(workspaceId, 'pg-own')?.name).toBe('pg-own')
    await snapshot.close()
    broken.queries = true
    expect(await rejection(createGuardrailSnapshot(double, FAST))).toBeInstanceOf(StoreUnavailable)
  })
})
