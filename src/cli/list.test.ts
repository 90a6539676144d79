import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { bootstrap } from '../store/bootstrap.ts'
import { newId } from '../store/objects/rows.ts'
import { findFirstOrganisation } from '../store/objects/tenancy.ts'
import { findDefaultWorkspace } from '../store/objects/workspaces.ts'
import { labels } from '../store/schema/labels.ts'
import { SLOW_START_MS } from '../store/testing.ts'
import { runCli } from './cli.ts'
import { testPlace } from './terminal/test-support.ts'

setDefaultTimeout(SLOW_START_MS)

describe('weir list', () => {
  const { open, run: runCommand } = testPlace('the embedded database of a running gateway')
  const run = (...args: readonly string[]) =>
    runCommand((environment) => runCli({ ...environment, arguments: ['list', ...args] }))

  beforeAll(async () => {
    const store = await open()
    await bootstrap(store.db, {})
    const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
    const workspaceId = (await findDefaultWorkspace(store.db, organisationId))?.id ?? ''
    const many = Array.from({ length: 1100 }, (_, index) => `many-${String(index).padStart(4, '0')}`)
    await store.db.insert(labels).values(many.map((name) => ({ id: newId(), organisationId, workspaceId, name })))
    await store.close()
  })

  test('shows all objects as a table, whatever the size of a page', async () => {
    const { code, out, error } = await run('labels')
    expect([code, error]).toEqual([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^ID +NAME +STATUS +LAST_UPDATED_AT$/)
    expect(lines).toHaveLength(1 + 3 + 1100)
    expect(lines.at(-1)).toContain('  many-1099  ')
  })

  test('shows them as the interface does with --json', async () => {
    const { out } = await run('workspaces', '--json')
    const answer = JSON.parse(out)
    expect(answer).toMatchObject({ object: 'list', total: 1, data: [{ slug: 'ws-default', object: 'workspace' }] })
  })

  test('knows every list of the interface, by its path', async () => {
    const { code, error } = await run('nothing-like-it')
    expect(code).toBe(2)
    const names = /there are: (.*)\n/.exec(error)?.[1]?.split(', ') ?? []
    expect(names).toEqual([
      'sessions',
      'users',
      'users/invites',
      'workspaces',
      'scim/workspaces',
      'api-keys',
      'api-keys/service',
      'api-keys/user',
      'integrations',
      'secret-references',
      'providers',
      'virtual-keys',
      'configs',
      'guardrails',
      'deployments',
      'mcp-integrations',
      'mcp-servers',
      'collections',
      'prompts/partials',
      'prompts',
      'labels',
      'policies/rate-limits',
      'policies/usage-limits',
      'alerts',
      'alerts/webhooks',
      'logs/exports',
    ])
    for (const name of names) expect(await run(name, '--json')).toMatchObject({ code: 0, error: '' })
  })

  test.each([
    [['lables'], 2, "'lables' is no list; did you mean 'labels'?"],
    [['labels', 'more'], 2, "unexpected argument 'more'"],
    [['labels', '--page', '2'], 2, "Unknown option '--page'"],
    [['workspaces', '--workspace', 'ws-default'], 2, '--workspace does not belong to this list'],
    [['labels', '--workspace', 'ws-none'], 1, "There is no workspace 'ws-none'."],
  ] as const)('%j is refused with %d', async (args, expected, message) => {
    const { code, out, error } = await run(...args)
    expect([code, out]).toEqual([expected, ''])
    expect(error).toStartWith(`weir list: ${message}`)
  })
})
