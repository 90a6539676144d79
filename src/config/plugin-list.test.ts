import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type as t } from '@sinclair/typebox'
import { definePlugin, type Plugin } from '../kit/plugin.ts'
import { violationLine } from './config-error.ts'
import { type BuiltIns, type ListedPlugin, listPlugins } from './plugin-list.ts'
import type { OperatorConfig } from './schema.ts'
import type { SoundConfig } from './sound-part.ts'

const builtIn = (name: string): Plugin => definePlugin({ name, config: t.Object({}), setup: () => ({}) })
const builtIns: BuiltIns = {
  always: {},
  plugins: ['auth', 'openai', 'ollama', 'mock'].map(builtIn),
  onRequest: new Set(['mock']),
}

/** What `definePlugin` and `t.Object({})` make, for a folder from which neither can be imported. */
const pluginText = (name: string): string =>
  `export default { name: '${name}', config: { [Symbol.for('TypeBox.Kind')]: 'Object', type: 'object', properties: {} }, setup: () => ({}) }\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-plugins-'))
  const files: Record<string, string> = {
    'own.ts': pluginText('own'),
    'twin.ts': pluginText('own'),
    'auth.ts': pluginText('auth'),
    'sub/deep.ts': pluginText('deep'),
    'nothing.ts': 'export const plugin = 1\n',
    'other.ts': 'export default { name: "x" }\n',
    'plain.ts': 'export default { name: "x", config: { type: "object", properties: {} }, setup: () => ({}) }\n',
    'broken.ts': 'throw new Error("no such thing")\n',
    'node_modules/weir-plugin-acme/package.json': '{"name":"weir-plugin-acme","main":"index.js"}',
    'node_modules/weir-plugin-acme/index.js': pluginText('acme'),
  }
  await Promise.all(Object.entries(files).map(([name, text]) => Bun.write(join(folder, name), text)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const list = async (...entries: OperatorConfig['plugins']): Promise<readonly ListedPlugin[]> => {
  const { plugins, violations } = await listPlugins(entries, folder, builtIns)
  expect(violations).toEqual([])
  return plugins
}

const names = async (...entries: OperatorConfig['plugins']): Promise<string[]> =>
  (await list(...entries)).map(({ plugin }) => plugin.name)

/** All that is wrong with the list, a line each. */
const refusal = async (...entries: SoundConfig['plugins']): Promise<string> => {
  const { violations } = await listPlugins(entries, folder, builtIns)
  return violations.map((violation) => violationLine(violation).replaceAll(folder, '.')).join('\n')
}

const NEITHER = 'is neither a built-in plugin, a path (./…) nor an installed package'

describe('defaults', () => {
  test('stand for every built-in plugin but those that want to be named', async () => {
    expect(await names('defaults')).toEqual(['auth', 'openai', 'ollama'])
    expect(await names('defaults', 'mock')).toEqual(['auth', 'openai', 'ollama', 'mock'])
  })

  test('leave out what `without` names', async () => {
    expect(await names({ defaults: { without: ['ollama', 'openai'] } })).toEqual(['auth'])
    expect(await names({ use: 'defaults', with: { without: ['ollama'] } })).toEqual(['auth', 'openai'])
    expect(await names({ defaults: null })).toEqual(['auth', 'openai', 'ollama'])
  })

  test('refuse a name in `without` that is none, another key, and another type', async () => {
    expect(await refusal({ defaults: { without: ['olama'] } })).toBe(
      `plugins[0].defaults.without[0]: 'olama' ${NEITHER}; did you mean 'ollama'?`,
    )
    expect(await refusal({ defaults: { wihtout: [] } })).toBe(
      'plugins[0].defaults.wihtout: unknown key; known is: without',
    )
    expect(await refusal({ defaults: { without: 'ollama' } })).toBe(
      'plugins[0].defaults.without: must be a list of plugin names',
    )
  })

  test('a later entry gives a plugin of theirs its settings and keeps its place in the list', async () => {
    const listed = await list('defaults', { auth: { headerPrefixes: ['x-acme-'] } })
    expect(listed.map(({ plugin, settings }) => [plugin.name, settings])).toEqual([
      ['auth', { headerPrefixes: ['x-acme-'] }],
      ['openai', {}],
      ['ollama', {}],
    ])
  })
})

describe('forms of an entry', () => {
  test('a name; a name with settings; a name with nothing', async () => {
    const listed = await list('auth', { openai: { apiKey: 'sk-1' } }, { ollama: null })
    expect(listed.map(({ plugin, settings, placement, origin }) => [plugin.name, settings, placement, origin])).toEqual(
      [
        ['auth', {}, {}, 'built-in'],
        ['openai', { apiKey: 'sk-1' }, {}, 'built-in'],
        ['ollama', {}, {}, 'built-in'],
      ],
    )
  })

  test('the long form, with settings and place', async () => {
    const [listed] = await list({ use: './own.ts', with: { level: 3 }, before: 'route' })
    expect(listed?.settings).toEqual({ level: 3 })
    expect(listed?.placement).toEqual({ before: 'route' })
    const [after] = await list({ use: './own.ts', after: 'auth' })
    expect(after?.placement).toEqual({ after: 'auth' })
  })
})

describe('where a plugin comes from', () => {
  test('a path starts from the folder of the file', async () => {
    const listed = await list('./own.ts', './sub/deep.ts')
    expect(listed.map(({ plugin, origin }) => [plugin.name, origin])).toEqual([
      ['own', './own.ts'],
      ['deep', './sub/deep.ts'],
    ])
    expect(await listPlugins(['../own.ts'], join(folder, 'sub'), builtIns)).toMatchObject({
      plugins: [{ origin: '../own.ts', path: 'plugins[0]' }],
    })
  })

  test('an absolute path', async () => {
    expect(await names(join(folder, 'own.ts'))).toEqual(['own'])
  })

  test('a package that is installed there', async () => {
    const [listed] = await list({ 'weir-plugin-acme': { level: 1 } })
    expect([listed?.plugin.name, listed?.origin, listed?.settings]).toEqual(['acme', 'weir-plugin-acme', { level: 1 }])
  })
})

describe('is refused', () => {
  test('a name that is nothing, with the nearest or with all', async () => {
    expect(await refusal('opnai')).toBe(`plugins[0]: 'opnai' ${NEITHER}; did you mean 'openai'?`)
    expect(await refusal('something-else')).toBe(
      `plugins[0]: 'something-else' ${NEITHER}; built in are: auth, openai, ollama, mock`,
    )
  })

  test('a file that holds no plugin', async () => {
    const noPlugin = 'has no default export made with definePlugin'
    expect(await refusal('./nothing.ts')).toBe(`plugins[0]: plugin './nothing.ts' ${noPlugin}`)
    expect(await refusal('./other.ts')).toBe(`plugins[0]: plugin './other.ts' ${noPlugin}`)
    expect(await refusal('./plain.ts')).toBe(`plugins[0]: plugin './plain.ts' ${noPlugin}`)
  })

  test('a file that is missing or breaks', async () => {
    expect(await refusal('./missing.ts')).toStartWith("plugins[0]: plugin './missing.ts' cannot be loaded: ")
    expect(await refusal('./broken.ts')).toBe("plugins[0]: plugin './broken.ts' cannot be loaded: no such thing")
  })

  test('one name from two places', async () => {
    expect(await refusal('./own.ts', './twin.ts')).toBe(
      "plugins[1]: plugin 'own' comes from both ./own.ts and ./twin.ts",
    )
    expect(await refusal('defaults', './auth.ts')).toBe(
      "plugins[1]: plugin 'auth' comes from both built-in and ./auth.ts",
    )
  })

  test('all that is wrong at once; a hole in the list is passed over', async () => {
    const entries = ['opnai', undefined, { defaults: { without: ['olama'] } }, './missing.ts', 'auth']
    expect((await refusal(...entries)).replaceAll(/: .*/g, '').split('\n')).toEqual([
      'plugins[0]',
      'plugins[2].defaults.without[0]',
      'plugins[3]',
    ])
    expect((await listPlugins(entries, folder, builtIns)).plugins.map(({ plugin }) => plugin.name)).toEqual(['auth'])
  })
})
