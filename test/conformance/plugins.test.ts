import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KindGuard } from '@sinclair/typebox'
import { definePlugin, t } from '#kit'
import { fakeHost, setUp } from '#kit/testing'
import { builtInPlugins, builtInsByKind } from '../../plugins/built-in.ts'
import { STAGE_ORDER } from '../../src/config/order.ts'
import { REQUEST_FIELDS } from '../../src/core/json/known-fields.ts'
import { API_KEY, startTestGateway } from '../support/gateway.ts'

const PLUGINS = join(import.meta.dir, '..', '..', 'plugins')
const KEBAB_CASE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Folders of a plugin each; others hold endpoints, which are no plugins. */
const foldersOf = async (kind: string): Promise<string[]> => {
  const entries = await readdir(join(PLUGINS, kind), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const texts = await Promise.all(
    folders.map((name) =>
      Bun.file(join(PLUGINS, kind, name, 'index.ts'))
        .text()
        .catch(() => ''),
    ),
  )
  return folders.filter((_, index) => texts[index]?.includes('definePlugin')).toSorted()
}

/** Folders whose index makes a plugin: a kind of call may have a folder too. */
const pluginFoldersOf = async (kind: string): Promise<string[]> => {
  const found = await foldersOf(kind)
  const sources = await Promise.all(found.map((name) => Bun.file(join(PLUGINS, kind, name, 'index.ts')).text()))
  return found.filter((_, index) => sources[index]?.includes('definePlugin('))
}

describe('the built-in plugins', () => {
  test('are one for each folder, by the same name', async () => {
    const legacy = (await foldersOf('legacy')).map((name) => `legacy-${name}`)
    // Of the folder `partners`: `partner-checks`.
    const checks = (await foldersOf('guardrails')).map((name) => `${name.replace(/s$/, '')}-checks`)
    const folders = [
      ...(await pluginFoldersOf('endpoints')),
      ...(await foldersOf('pipeline')),
      ...(await foldersOf('providers')),
      ...legacy,
      ...checks,
      ...(await foldersOf('.')),
    ]
    expect(builtInPlugins.map(({ name }) => name).toSorted()).toEqual(folders.toSorted())
    expect(new Set(folders).size).toBe(folders.length)
  })

  test.each(Object.entries(builtInsByKind))('are listed by what they bring: %s', async (kind, plugins) => {
    for (const plugin of plugins) {
      const { parts } = await setUp(plugin)
      const { stages = [], routes = [], providers = [], checks = [], prices } = parts
      const counts = {
        stage: stages.length,
        route: routes.length,
        provider: providers.length,
        check: checks.length,
        prices: prices === undefined ? 0 : 1,
      }
      await parts.close?.()
      const brought = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [name] : []))
      expect([plugin.name, brought]).toEqual([plugin.name, [kind]])
    }
  })

  for (const plugin of builtInPlugins) {
    describe(plugin.name, () => {
      test('has a kebab-case name and a config of described properties, all of which may be left out', async () => {
        expect(plugin.name).toMatch(KEBAB_CASE)
        expect(KindGuard.IsObject(plugin.config)).toBe(true)
        for (const [key, schema] of Object.entries(plugin.config.properties)) {
          expect(schema.description, `description of ${key}`).toMatch(/^[A-Z].{15,}\.$/s)
        }
        const { parts } = await setUp(plugin)
        await parts.close?.()
      })

      test('brings stages, providers, routes and checks by the names the default order and the wire know', async () => {
        const { parts } = await setUp(plugin)
        try {
          for (const { name } of parts.stages ?? []) expect<readonly string[]>(STAGE_ORDER).toContain(name)
          for (const { id } of parts.providers ?? []) expect(id).toMatch(KEBAB_CASE)
          for (const { path } of parts.routes ?? []) expect(path).toMatch(/^\/(?:v[12]|v1beta|openai)\/\S+$/)
          for (const { id } of parts.checks ?? []) expect(id).toMatch(/^[a-z-]+\.[A-Za-z]+$/)
          const { stages = [], providers = [], routes = [], checks = [], prices } = parts
          const others = prices === undefined ? 0 : 1
          expect(stages.length + providers.length + routes.length + checks.length + others).toBeGreaterThan(0)
        } finally {
          await parts.close?.()
        }
      })

      test('acts on no parameter that could also come in another case: src/core/json/known-fields.ts lists it', async () => {
        const { parts } = await setUp(plugin)
        try {
          for (const { endpoints } of parts.providers ?? []) {
            // What is only dropped means nothing to that provider, in whichever case.
            const names = Object.values(endpoints).flatMap((adapter) =>
              Object.entries(adapter?.params ?? {}).flatMap(([name, rule]) => (rule === null ? [] : [name])),
            )
            expect(names.filter((name) => !REQUEST_FIELDS.names.has(name))).toEqual([])
          }
        } finally {
          await parts.close?.()
        }
      })

      test('can be set up twice in one process, and says nothing while it is', async () => {
        const host = fakeHost()
        const both = await Promise.all([setUp(plugin, {}, host), setUp(plugin, {}, host)])
        expect(both[0]?.parts).not.toBe(both[1]?.parts)
        expect([host.logLines, host.callRecords]).toEqual([[], []])
        for (const { parts } of both) await parts.close?.()
      })
    })
  }
})

test('importing every plugin opens no socket, starts no timer and writes nothing', async () => {
  const script = `
    const handles = () => process.getActiveResourcesInfo().length
    const before = handles()
    const { builtInPlugins } = await import(${JSON.stringify(join(PLUGINS, 'built-in.ts'))})
    if (builtInPlugins.length === 0) throw new Error('no plugins')
    if (handles() !== before) throw new Error('something was opened: ' + process.getActiveResourcesInfo())
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' })
  // It ends by itself: a socket or a timer would keep it alive until the test times out.
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([out, error, await child.exited]).toEqual(['', '', 0])
})

describe('every provider', () => {
  test('is put through the conformance kit, on recorded cases of its own', async () => {
    for (const name of await foldersOf('providers')) {
      const folder = join(PLUGINS, 'providers', name)
      const files = await readdir(folder)
      const tests = await Promise.all(
        files.filter((file) => file.endsWith('.test.ts')).map((file) => Bun.file(join(folder, file)).text()),
      )
      const conforms = tests.some((text) => /^conform\(/m.test(text))
      expect(conforms, `a test of ${name} calls conform`).toBe(true)
      const cases = files.includes('fixtures') ? await readdir(join(folder, 'fixtures')) : []
      expect(cases.filter((file) => file.endsWith('.json')).length, `cases of ${name}`).toBeGreaterThan(0)
    }
  })
})

describe('two gateways in one process', () => {
  test('answer side by side and close one by one', async () => {
    const [first, second] = await Promise.all([startTestGateway(), startTestGateway()])
    const status = async (url: string): Promise<number> => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
        body: '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}',
      })
      await response.arrayBuffer()
      return response.status
    }
    try {
      expect(await Promise.all([status(first.url), status(second.url)])).toEqual([200, 200])
      expect([first.records.length, second.records.length]).toEqual([1, 1])
      await first.close()
      expect(await status(second.url)).toBe(200)
    } finally {
      await second.close()
    }
  })
})

describe('a drop-in', () => {
  test('has the same contract as a built-in: stages, providers, settings, and a close in reverse order', async () => {
    const steps: string[] = []
    const dropIn = (name: string) =>
      definePlugin({
        name,
        config: t.Object({ word: t.String({ default: name }) }),
        placement: { before: 'provider-call' },
        setup: ({ word }) => {
          steps.push(`${name} set up`)
          return {
            stages: [
              {
                name,
                async run(call, next) {
                  const answer = await next()
                  answer.headers.set(`x-${name}`, word)
                  steps.push(`${name} saw ${answer.status} of ${call.endpoint.id}`)
                  return answer
                },
              },
            ],
            close: () => {
              steps.push(`${name} closed`)
            },
          }
        },
      })
    const gateway = await startTestGateway({
      plugins: [dropIn('outer'), dropIn('inner')],
      config: { plugins: ['defaults', 'mock', { outer: { word: 'chosen' } }] },
    })
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
      body: '{"model":"mock-embedding","input":"Hello"}',
    })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    expect([response.headers.get('x-outer'), response.headers.get('x-inner')]).toEqual(['chosen', 'inner'])
    await gateway.close()
    await gateway.gateway.close()
    expect(steps).toEqual([
      'outer set up',
      'inner set up',
      'inner saw 200 of embeddings',
      'outer saw 200 of embeddings',
      'inner closed',
      'outer closed',
    ])
  })
})
