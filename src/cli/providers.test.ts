import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { copyEmbeddedDatabase } from '../../test/support/embedded-database.ts'
import { type PrivateDatabase, privateDatabase } from '../../test/support/services.ts'
import { bootstrap } from '../store/bootstrap.ts'
import { openStore } from '../store/db.ts'
import { SLOW_START_MS, temporaryFolder } from '../store/testing.ts'
import { providersCommand } from './providers.ts'
import type { Environment } from './terminal/environment.ts'

const KEY = 'sk-canary-0123456789abcdefghijklmnopqrstuv'

describe.each(['pglite', 'postgres'] as const)('weir providers on %s', (kind) => {
  const folder = temporaryFolder()
  let database: PrivateDatabase | undefined
  const open = () => openStore({ dataDir: `${folder.path}/.weir`, ...(database && { databaseUrl: database.url }) })

  const run = async (...args: string[]) => {
    let [out, error] = ['', '']
    const environment: Environment = {
      arguments: [],
      env: {
        PROVIDER_KEY: KEY,
        ...(database && { DATABASE_URL: database.url, WEIR_MASTER_KEY: 'a passphrase of more than 32 characters' }),
      },
      folder: folder.path,
      async out(text) {
        out += text
      },
      error(text) {
        error += text
      },
      onSignal: () => undefined,
      readInput: async () => `${KEY}-from-input\n`,
    }
    return { code: await providersCommand(environment, undefined, args), out, error }
  }

  beforeAll(async () => {
    if (kind === 'postgres') database = await privateDatabase()
    else await copyEmbeddedDatabase(`${folder.path}/.weir`)
    const store = await open()
    await bootstrap(store.db, {})
    await store.close()
  }, SLOW_START_MS)
  afterAll(async () => {
    await database?.drop()
    folder.remove()
  }, SLOW_START_MS)

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
