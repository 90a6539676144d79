import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listAudit } from '../store/objects/audit-log.ts'
import { findFirstOrganisation } from '../store/objects/tenancy.ts'
import { SLOW_START_MS } from '../store/testing.ts'
import { writeFiles } from './prompts/test-support.ts'
import { promptsCommand } from './prompts.ts'
import { providersCommand } from './providers.ts'
import { PLACES, testPlace } from './terminal/test-support.ts'

const CHAT = '[{"role":"system","content":"{{>pl-tone}}"},{"role":"user","content":"Hi {{user.name}}"}]'
const FILES = {
  'repo/prompts/pp-hello/prompt.json': JSON.stringify({
    name: 'Hello',
    collection: ['Team', 'Support'],
    labels: ['staging'],
    model: 'mock',
    parameters: { temperature: 0.5 },
  }),
  'repo/prompts/pp-hello/template.json': CHAT,
  'repo/partials/pl-tone.json': '{"name":"Tone"}',
  'repo/partials/pl-tone.txt': 'Be kind.\n',
}

describe.each(PLACES)('weir prompts on %s', (kind) => {
  const { folder, open, run: runCommand, start } = testPlace(kind, { env: { PROVIDER_KEY: 'sk-1' } })
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const run = (...args: string[]) => runCommand((environment) => promptsCommand(environment, args))

  beforeAll(async () => {
    await start()
    writeFiles(folder, FILES)
  }, SLOW_START_MS)

  test(
    'files are pushed, rendered and pulled',
    async () => {
      const dry = await run('push', 'repo', '--dry-run')
      expect(dry).toMatchObject({ code: 0, error: '' })
      expect(dry.out).toContain('Nothing was written')
      const pushed = await run('push', 'repo')
      expect(pushed.out).toBe(dry.out.replace('Nothing was written: this was a dry run.\n', ''))
      expect(pushed.out).toBe(
        [
          'ACTION   KIND        NAME            VERSION  DETAILS\n',
          'created  collection  Team\n',
          'created  collection  Team / Support\n',
          'created  partial     pl-tone         1        published: 1\n',
          'created  prompt      pp-hello        1        staging: -> 1; published: 1\n',
          '4 created, 0 changed, 0 deleted, 0 unchanged.\n',
        ].join(''),
      )

      writeFiles(folder, { 'vars.json': '{"user":{"name":"Ada","age":36}}' })
      const rendered = await run(
        'render',
        'pp-hello@staging',
        '--vars',
        'vars.json',
        '--var',
        'user.name="Bob"',
        '--param',
        'top_p=1',
      )
      expect([rendered.code, rendered.error]).toEqual([0, ''])
      expect(JSON.parse(rendered.out)).toEqual({
        model: 'mock',
        temperature: 0.5,
        top_p: 1,
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hi "Bob"' },
        ],
      })
      expect(JSON.parse((await run('render', 'pp-hello')).out)).toMatchObject({
        messages: [{ content: 'Be kind.' }, { content: 'Hi ' }],
      })
      expect(await run('render', 'pp-hello', '--strict')).toMatchObject({ code: 1, out: '' })

      expect(await run('pull', 'copy')).toEqual({ code: 0, out: 'Prompts: 1. Partials: 1.\n', error: '' })
      expect(JSON.parse(text('copy/prompts/pp-hello/prompt.json'))).toEqual({
        name: 'Hello',
        collection: ['Team', 'Support'],
        published: true,
        labels: ['staging'],
        model: 'mock',
        parameters: { temperature: 0.5 },
      })
      expect(text('copy/prompts/pp-hello/template.json')).toBe(`${JSON.stringify(JSON.parse(CHAT), null, 2)}\n`)
      expect(text('copy/partials/pl-tone.txt')).toBe('Be kind.\n')
      expect((await run('push', 'copy', '--publish', '--prune')).out).toBe(
        '0 created, 0 changed, 0 deleted, 2 unchanged.\n',
      )
    },
    SLOW_START_MS,
  )

  test(
    'a pull keeps older versions that something refers to, and tells of files that nothing is behind',
    async () => {
      writeFiles(folder, {
        'copy/prompts/pp-hello/template.json': CHAT.replace('Hi', 'Bye'),
        'copy/prompts/pp-old/prompt.json': '{"name":"Old"}',
        'copy/prompts/pp-old/template.txt': 'Old {{>pl-none}}\n',
      })
      const pushed = await run('push', 'copy', '--json')
      expect(pushed.error).toBe(
        "weir prompts: prompts/pp-old names the partial 'pl-none', which is not in the workspace\n",
      )
      expect(JSON.parse(pushed.out)).toMatchObject({
        dry_run: false,
        rows: [
          { action: 'unchanged', kind: 'partial' },
          { action: 'changed', version: 2, details: ['new: 2', 'staging: 1 -> 2', 'published stays 1 (--publish)'] },
          { action: 'created', name: 'pp-old' },
        ],
      })
      rmSync(join(folder, 'copy/prompts/pp-old'), { recursive: true })
      expect((await run('push', 'copy', '--prune')).out).toMatch(/^deleted +prompt +pp-old$/m)

      writeFiles(folder, {
        'copy/prompts/pp-gone/prompt.json': '{"name":"Gone"}',
        'copy/prompts/pp-gone/template.txt': 'x\n',
        'copy/prompts/pp-hello/label-x.json': '{"labels":["x"]}',
      })
      expect((await run('pull', 'copy')).out).toBe(
        'Prompts: 1. Partials: 1.\nNot in the workspace, and left as it was (--prune takes it away): prompts/pp-gone\n',
      )
      const places = [
        'published.json',
        'published.template.json',
        'prompt.json',
        'template.json',
        'label-x.json',
        '../pp-gone/prompt.json',
      ]
      const there = () => places.map((name) => existsSync(join(folder, 'copy/prompts/pp-hello', name)))
      expect(there()).toEqual([true, true, true, true, false, true])
      expect(JSON.parse(text('copy/prompts/pp-hello/published.json'))).toEqual({
        published: true,
        model: 'mock',
        parameters: { temperature: 0.5 },
      })
      expect(JSON.parse((await run('pull', 'copy', '--prune', '--json')).out)).toEqual({
        prompts: 1,
        partials: 1,
        strange: ['prompts/pp-gone'],
      })
      expect(there()).toEqual([true, true, true, true, false, false])

      const store = await open()
      try {
        const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
        const { rows } = await listAudit(store.db, { organisationId }, { offset: 0, limit: 100 })
        const ours = rows.filter(({ action }) => action.startsWith('prompts.'))
        expect(ours.length).toBeGreaterThan(4)
        for (const { actorKind, actorName } of ours) expect([actorKind, actorName]).toEqual(['cli', 'tester'])
      } finally {
        await store.close()
      }
    },
    SLOW_START_MS,
  )

  test(
    'a folder with problems changes nothing, and all of them are told',
    async () => {
      writeFiles(folder, {
        ...FILES,
        'repo/prompts/pp-hello/template.json': `[\n{"role":"user","content":"{{#a}}"}]`,
        'repo/partials/pl-tone.json': '{"name":"Tone","labels":[]}',
        'repo/prompts/pp-new/prompt.json': '{"name":"New","virtual_key":"@none"}',
        'repo/prompts/pp-new/template.txt': 'x',
      })
      const broken = await run('push', 'repo')
      expect([broken.code, broken.out]).toEqual([1, ''])
      expect(broken.error).toMatch(
        /^weir prompts: nothing was done, as there are problems:\n {2}prompts\/pp-hello\/template\.json:2:27: the section 'a' is never closed\n {2}partials\/pl-tone\.json: `labels` unknown key.+\n/,
      )
      writeFiles(folder, FILES)
      expect(await run('push', 'repo')).toEqual({
        code: 1,
        out: '',
        error:
          "weir prompts: nothing was done, as there are problems:\n  prompts/pp-new/prompt.json: `virtual_key` 'none' is no provider of the workspace\n",
      })
    },
    SLOW_START_MS,
  )

  test(
    'a provider may be named by slug, @slug or id, which is the same to the next push',
    async () => {
      const flags = ['--name', 'Main', '--slug', 'main', '--provider', 'openai', '--key-env', 'PROVIDER_KEY', '--json']
      const { id } = JSON.parse(
        (await runCommand((environment) => providersCommand(environment, undefined, ['add', ...flags]))).out,
      )
      for (const [name, action] of [
        ['@main', 'created'],
        ['main', 'unchanged'],
        [id, 'unchanged'],
      ]) {
        writeFiles(folder, {
          'named/prompts/pp-named/prompt.json': JSON.stringify({ name: 'Named', virtual_key: name }),
          'named/prompts/pp-named/template.txt': 'Hi\n',
        })
        const { rows } = JSON.parse((await run('push', 'named', '--json')).out)
        expect(rows).toMatchObject([{ action, name: 'pp-named', version: 1 }])
      }
      await run('pull', 'named', '--prune')
      expect(JSON.parse(text('named/prompts/pp-named/prompt.json'))).toMatchObject({ virtual_key: 'main' })
    },
    SLOW_START_MS,
  )

  test(
    'says in one line what is wrong',
    async () => {
      for (const [args, code, line] of [
        [[], 2, 'weir prompts: say what to do with prompts'],
        [['list'], 2, "weir prompts: unknown action 'list'"],
        [['pull'], 2, "weir prompts: 'pull' needs a folder"],
        [['render'], 2, "weir prompts: 'render' needs the id or slug of a prompt"],
        [['push', 'a', 'b'], 2, "weir prompts: unexpected argument 'b'"],
        [['push', 'a', '--strict'], 2, 'weir prompts: --strict does not belong to this action'],
        [['pull', 'a', '--publish'], 2, 'weir prompts: --publish does not belong to this action'],
        [['pull', 'a', '--force'], 2, "weir prompts: Unknown option '--force'"],
        [['render', 'pp-hello', '--var', 'name'], 2, 'weir prompts: --var needs the form name=value'],
        [
          ['render', 'pp-hello', '--vars', 'none.json'],
          1,
          'weir prompts: nothing was done, as there are problems:\n  none.json: ',
        ],
        [['render', 'pp-none'], 1, 'weir prompts: Invalid prompt id: '],
        [['render', 'pp-hello', '--param', 'stream=1'], 1, 'weir prompts: `stream` must be a boolean.'],
        [['push', 'nowhere'], 1, 'weir prompts: nothing was done, as there are problems:\n  nowhere: holds neither '],
        [['pull', 'vars.json'], 1, 'weir prompts: '],
        [['pull', 'copy', '--workspace', 'ws-none'], 1, "weir prompts: There is no workspace 'ws-none'."],
      ] as const) {
        const answer = await run(...args)
        expect([answer.code, answer.out, answer.error.slice(0, line.length)]).toEqual([code, '', line])
      }
    },
    SLOW_START_MS,
  )
})
