import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { LogSettings } from '../core/log-settings.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { createWorkspace } from '../store/objects/workspaces.ts'
import { organisations, workspaces } from '../store/schema/tenancy.ts'
import { describeOnBothStores, emptyStore, until } from '../store/testing.ts'
import { openLogSettings } from './log-settings.ts'

const ignored = (): void => undefined

describeOnBothStores('log settings', (store) => {
  let organisationId = ''
  let workspaceId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
  })

  const say = async (organisation: LogSettings | null, workspace: LogSettings | null): Promise<void> => {
    const { db } = store()
    await db.update(organisations).set({ logs: organisation }).where(eq(organisations.id, organisationId))
    await db.update(workspaces).set({ logs: workspace }).where(eq(workspaces.id, workspaceId))
  }
  const open = (bodies: 'none' | 'failed' | 'all' = 'all') =>
    openLogSettings(
      store(),
      { records: { bodies, retentionDays: 30, bodyRetentionDays: 7 } },
      { info: ignored, warn: ignored, error: ignored },
    )

  test.each([
    ['all', undefined, undefined, 'all'],
    ['failed', undefined, undefined, 'failed'],
    ['failed', 'all', undefined, 'all'],
    ['all', 'failed', 'all', 'all'],
    ['all', 'all', 'failed', 'failed'],
    ['none', 'all', 'all', 'none'],
    ['all', 'none', 'all', 'none'],
    ['all', 'all', 'none', 'none'],
  ] as const)('operator %s, organisation %s, workspace %s: %s', async (operator, organisation, workspace, bodies) => {
    await say(
      organisation === undefined ? null : { bodies: organisation },
      workspace === undefined ? null : { bodies: workspace },
    )
    const settings = await open(operator)
    expect(settings.bodyRules.of(organisationId, workspaceId).bodies).toBe(bodies)
    await settings.close()
  })

  test('patterns and metadata keys of both count, days of the nearest', async () => {
    await say(
      { redact: ['alpha'], metadataKeys: ['team'], retentionDays: 10, bodyRetentionDays: 5, bodyReaders: 'caller' },
      { redact: ['beta'], metadataKeys: ['tier', 'team'], retentionDays: 3 },
    )
    const settings = await open()
    const { redaction } = settings.bodyRules.of(organisationId, workspaceId)
    expect(redaction?.redact('alpha beta gamma')).toBe('[redacted] [redacted] gamma')
    expect(settings.bodyRules.of(organisationId, workspaceId)).toBe(settings.bodyRules.of(organisationId, workspaceId))
    expect(settings.records.metadataKeys()).toEqual(new Map([[workspaceId, ['team', 'tier']]]))
    expect(settings.records.retention()).toEqual({
      fallback: { days: 30, bodyDays: 7 },
      workspaces: new Map([[workspaceId, { days: 3, bodyDays: 3 }]]),
    })
    expect(settings.readersOf(workspaceId)).toBe('caller')
    expect(settings.readersOf('other')).toBe('workspace')
    await settings.close()
  })

  test('a change is heard of', async () => {
    const settings = await open()
    let changes = 0
    settings.records.onChange(() => changes++)
    expect(settings.bodyRules.of(organisationId, workspaceId)).toEqual({ bodies: 'all' })
    await say({ bodies: 'failed' }, { retentionDays: 2 })
    await until(() => settings.bodyRules.of(organisationId, workspaceId).bodies === 'failed')
    await until(() => settings.records.retention().workspaces.has(workspaceId))
    expect(changes).toBeGreaterThan(0)
    await settings.close()
  })

  test('a pattern that cannot be read keeps nothing, rather than what it stands for', async () => {
    await say(null, { redact: ['(a)\\1'] })
    const settings = await open()
    expect(settings.bodyRules.of(organisationId, workspaceId)).toEqual({ bodies: 'none' })
    await settings.close()
  })
})
