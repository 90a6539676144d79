import { describe, expect, test } from 'bun:test'
import { addPerson } from '../../management/test-support/add-person.ts'
import { listAudit, verifyAuditChain } from '../../store/objects/audit-log.ts'
import { findFirstOrganisation } from '../../store/objects/tenancy.ts'
import { SLOW_START_MS } from '../../store/testing.ts'
import { asksForFirstStart, PLACES, testPlace } from '../terminal/test-support.ts'
import { keysCommand } from './keys.ts'

describe.each(PLACES)('weir keys on %s', (kind) => {
  const { open, run: runCommand, start } = testPlace(kind)
  const run = (...args: string[]) => runCommand((environment) => keysCommand(environment, args))

  asksForFirstStart('keys', () => run('list'), start)

  test(
    'makes, lists and revokes keys, and writes it down',
    async () => {
      const made = await run('create', '--name', 'nightly', '--expires', '30d', '--json')
      expect(made).toMatchObject({ code: 0, error: '' })
      const { id, key }: { id: string; key: string } = JSON.parse(made.out)
      expect(key).toMatch(/^weir_/)

      const listed = JSON.parse((await run('list', '--json', '--workspace', 'ws-default')).out)
      expect(listed).toMatchObject({ object: 'list', total: 2 })
      expect(listed.data.find((row: { id: string }) => row.id === id)).toMatchObject({
        name: 'nightly',
        type: 'workspace-service',
        scopes: ['completions.write'],
        status: 'active',
      })
      const { out } = await run('list')
      expect(out).toContain('nightly')
      expect(out).not.toContain(key)

      expect(await run('revoke', id)).toEqual({ code: 0, out: `The key ${id} works no more.\n`, error: '' })
      expect((await run('list')).out).not.toContain(id)
      expect(await run('revoke', id)).toMatchObject({ code: 1, error: 'weir keys: There is no API key of that id.\n' })

      const store = await open()
      try {
        const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
        const { rows } = await listAudit(store.db, { organisationId, objectId: id }, { offset: 0, limit: 10 })
        expect(rows.map(({ action, actorKind, actorName }) => [action, actorKind, actorName])).toEqual([
          ['api_keys.delete', 'cli', 'tester'],
          ['api_keys.create', 'cli', 'tester'],
        ])
        expect(await verifyAuditChain(store.db, organisationId)).toBeUndefined()
      } finally {
        await store.close()
      }
    },
    SLOW_START_MS,
  )

  test(
    'makes every kind',
    async () => {
      const store = await open()
      const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
      const user = await addPerson(store.db, { organisationId, role: 'owner' }).finally(() => store.close())
      const made = [
        await run('create', '--name', 'o', '--kind', 'organisation-service', '--json'),
        await run('create', '--name', 'u', '--kind', 'workspace-user', '--user', user, '--scopes', 'all', '--json'),
        await run(
          'create',
          '--name',
          's',
          '--scopes',
          'logs.view, completions.write',
          '--expires',
          '2999-01-01',
          '--json',
        ),
      ]
      expect(made.map(({ code }) => code)).toEqual([0, 0, 0])
      const { data } = JSON.parse((await run('list', '--json')).out)
      const byName = new Map<string, Record<string, unknown>>(data.map((row: { name: string }) => [row.name, row]))
      expect(byName.get('o')).toMatchObject({ type: 'organisation-service', workspace_id: null })
      expect(byName.get('u')).toMatchObject({ type: 'workspace-user', user_id: user })
      expect(byName.get('s')).toMatchObject({
        scopes: ['logs.view', 'completions.write'],
        expires_at: '2999-01-01T00:00:00.000Z',
      })
      expect((await run('create', '--name', 'plain')).out).toMatch(
        /^Keep this key: .*\n\n {2}id {3}\S+\n {2}key {2}weir_/,
      )
    },
    SLOW_START_MS,
  )

  const wrong: readonly (readonly [string, readonly string[], 1 | 2, string])[] = [
    ['nothing to do', [], 2, 'say what to do'],
    ['an unknown action', ['make'], 2, "unknown action 'make'"],
    ['an unknown flag', ['create', '--nam', 'x'], 2, "Unknown option '--nam'"],
    ['no name', ['create'], 2, '--name is missing'],
    ['an unknown kind', ['create', '--name', 'x', '--kind', 'admin'], 2, '--kind is one of'],
    ['a user key of nobody', ['create', '--name', 'x', '--kind', 'workspace-user'], 2, '--user'],
    [
      'an organisation key of a workspace',
      ['create', '--name', 'x', '--kind', 'organisation-service', '--workspace', 'ws-default'],
      2,
      '--workspace',
    ],
    ['an expiry in words', ['create', '--name', 'x', '--expires', 'tomorrow'], 2, "--expires cannot be 'tomorrow'"],
    ['a flag of another action', ['list', '--name', 'x'], 2, '--name does not belong'],
    ['an argument too many', ['list', 'all'], 2, "unexpected argument 'all'"],
    ['no id', ['revoke'], 2, 'needs the id'],
    [
      'an unknown scope',
      ['create', '--name', 'x', '--scopes', 'completions.rite'],
      1,
      "did you mean 'completions.write'?",
    ],
    ['an unknown workspace', ['list', '--workspace', 'ws-nowhere'], 1, 'ws-nowhere'],
    ['an expiry in the past', ['create', '--name', 'x', '--expires', '2020-01-01'], 1, 'must be in the future'],
    ['an id that is none', ['revoke', 'x'], 1, 'no API key'],
  ]
  test.each(wrong)(
    'refuses %s',
    async (_, args, code, problem) => {
      const answer = await run(...args)
      expect(answer).toMatchObject({ code, out: '' })
      expect(answer.error).toContain(problem)
      expect(answer.error.includes('Usage:')).toBe(code === 2)
    },
    SLOW_START_MS,
  )
})
