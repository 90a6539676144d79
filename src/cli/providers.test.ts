import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { SLOW_START_MS } from '../store/testing.ts'
import { providersCommand } from './providers.ts'
import { PLACES, testPlace } from './terminal/test-support.ts'

const KEY = 'sk-canary-0123456789abcdefghijklmnopqrstuv'

describe.each(PLACES)('weir providers on %s', (kind) => {
  const { open, run: runCommand, start } = testPlace(kind, { env: { PROVIDER_KEY: KEY }, input: `${KEY}-from-input\n` })
  const run = (...args: string[]) => runCommand((environment) => providersCommand(environment, undefined, args))

  beforeAll(start, SLOW_START_MS)

  test(
    'stores a key from the environment or standard input, sealed, and lists what is stored',
    async () => {
      const first = ['add', '--name', 'Main', '--provider', 'openai', '--slug', 'main']
      expect(await run(...first, '--key-env', 'PROVIDER_KEY', '--set', 'openai_project=p')).toEqual({
        code: 0,
        out: 'Stored. Calls name it as @main, for example in the model: @main/MODEL\n',
        error: '',
      })
      const second = await run('add', '--name', 'Other one', '--provider', 'anthropic', '--key-stdin', '--json')
      const { slug } = JSON.parse(second.out)
      expect(slug).toMatch(/^other-one-[0-9a-f]{6}$/)
      const listed = JSON.parse((await run('list', '--json')).out)
      expect(listed).toMatchObject([
        { slug: 'main', ai_provider_id: 'openai', workspace: 'ws-default', status: 'active' },
        { slug, ai_provider_id: 'anthropic' },
      ])
      expect((await run('list', '--workspace', 'ws-default')).out).toMatch(
        /^SLUG .*\nmain +openai +active +ws-default +Main\n/,
      )
      expect((await run(...first, '--key-env', 'PROVIDER_KEY')).code).toBe(1)

      const store = await open()
      try {
        for (const name of ['integrations', 'audit_log']) {
          const rows = await store.db
            .select({ text: sql<string>`row_to_json(t)::text` })
            .from(sql`${sql.identifier(name)} as t`)
          expect(rows).toHaveLength(2)
          expect(rows.filter(({ text }) => text.includes('canary'))).toEqual([])
          if (name === 'audit_log') expect(rows.every(({ text }) => text.includes('"actor_kind":"cli"'))).toBe(true)
        }
      } finally {
        await store.close()
      }
    },
    SLOW_START_MS,
  )

  test(
    'says in one line what is wrong',
    async () => {
      const named = ['add', '--name', 'x', '--provider', 'openai']
      for (const [args, code, line] of [
        [[], 2, 'weir providers: say what to do with providers'],
        [['remove'], 2, "weir providers: unknown action 'remove'"],
        [['add', '--provider', 'openai'], 2, 'weir providers: --name is missing'],
        [[...named, '--key', 'sk-1'], 2, "weir providers: Unknown option '--key'"],
        [[...named, '--slug', 'a/b'], 2, 'weir providers: --slug is wrong: '],
        [[...named, '--expires', 'soon'], 2, 'weir providers: --expires is wrong: '],
        [[...named, '--key-env', 'NOT_SET'], 2, 'weir providers: the environment variable NOT_SET is not set'],
        [[...named, '--set', 'custom_headers={"a":"b"}'], 2, 'weir providers: custom_headers is a secret: '],
        [[...named, '--set', 'custom_host'], 2, 'weir providers: --set needs the form field=value'],
        [['list', '--name', 'x'], 2, 'weir providers: --name does not belong to this action'],
        [['add', '--name', 'x', '--provider', 'opnai'], 1, 'weir providers: The call is not valid: `ai_provider_id` '],
        [[...named, '--workspace', 'ws-none'], 1, "weir providers: There is no workspace 'ws-none'."],
        [
          [...named, '--set', 'custom_host=http://localhost/'],
          1,
          'weir providers: The call is not valid: `configurations.custom_host` ',
        ],
        [[...named, '--set', 'nothing=1'], 1, 'weir providers: The call is not valid: `configurations.nothing` '],
      ] as const) {
        const answer = await run(...args)
        expect([answer.code, answer.out, answer.error.slice(0, line.length)]).toEqual([code, '', line])
      }
      expect(JSON.parse((await run('list', '--json')).out)).toHaveLength(2)
    },
    SLOW_START_MS,
  )
})
