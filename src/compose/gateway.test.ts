import { afterEach, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { API_KEY, startTestGateway, type TestGateway, testConfig } from '../../test/support/gateway.ts'
import { ConfigError } from '../config/config-error.ts'
import { definePlugin, type Plugin } from '../kit/plugin.ts'

/** Holds every call back until it is let go, and writes its life down. */
const holding = () => {
  const steps: string[] = []
  let entered = Promise.withResolvers<void>()
  let letGo = Promise.withResolvers<void>()
  const plugin: Plugin = definePlugin({
    name: 'holding',
    config: t.Object({ generation: t.Integer({ default: 1 }) }),
    placement: { after: 'auth' },
    setup: ({ generation }) => ({
      stages: [
        {
          name: 'holding',
          async run(call, next) {
            call.replyHeaders.set('x-generation', String(generation))
            if (call.request.headers.has('x-hold')) {
              entered.resolve()
              await letGo.promise
              if (call.signal.aborted) throw call.signal.reason
            }
            return next()
          },
        },
      ],
      close: () => {
        steps.push(`closed ${generation}`)
      },
    }),
  })
  return {
    plugin,
    steps,
    entered: () => entered.promise,
    letGo: () => letGo.resolve(),
    again: () => {
      entered = Promise.withResolvers<void>()
      letGo = Promise.withResolvers<void>()
    },
  }
}

const running: TestGateway[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.close()
})

const start = async (plugin: Plugin): Promise<TestGateway> => {
  const started = await startTestGateway({ plugins: [plugin], config: { plugins: ['defaults', 'mock', plugin.name] } })
  running.push(started)
  return started
}

const call = ({ url }: TestGateway, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'mock', ...headers },
    body: '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}',
  })

const generation = (number: number) =>
  testConfig({ plugins: ['defaults', 'mock', { holding: { generation: number } }] })

const ready = async ({ url }: TestGateway): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}/readyz`)
  return (await response.json()) as Record<string, unknown>
}

describe('reload', () => {
  test('a running call ends by the old config, whose plugins close only then; the next one runs by the new', async () => {
    const { plugin, steps, entered, letGo } = holding()
    const gateway = await start(plugin)
    const held = call(gateway, { 'x-hold': 'yes' })
    await entered()
    await gateway.gateway.reload(generation(2), 'second')
    const next = await call(gateway)
    expect([next.status, next.headers.get('x-generation')]).toEqual([200, '2'])
    expect(steps).toEqual([])
    letGo()
    const old = await held
    expect([old.status, old.headers.get('x-generation')]).toEqual([200, '1'])
    await gateway.record(({ status }) => status === 200)
    await gateway.gateway.close()
    expect(steps).toEqual(['closed 1', 'closed 2'])
  })

  test('a config that cannot run leaves the old one in place', async () => {
    const { plugin, steps } = holding()
    const gateway = await start(plugin)
    const broken = gateway.gateway.reload(testConfig({ plugins: ['holding', 'logging'] }), 'broken')
    expect(await broken.catch((thrown: unknown) => thrown)).toBeInstanceOf(ConfigError)
    const response = await call(gateway)
    expect([response.status, response.headers.get('x-generation')]).toEqual([200, '1'])
    expect((await ready(gateway)).config).toEqual({ version: 'none' })
    // The half-built second one was closed, the first was not.
    expect(steps).toEqual(['closed 1'])
    await gateway.gateway.close()
    expect(steps).toEqual(['closed 1', 'closed 1'])
  })

  test('readiness tells which config runs', async () => {
    const { plugin } = holding()
    const gateway = await start(plugin)
    expect(await ready(gateway)).toMatchObject({
      ready: true,
      config: { version: 'none' },
      stages: [
        'logging',
        'auth',
        'holding',
        'mcp-tools',
        'responses',
        'files',
        'batches',
        'mcp',
        'config',
        'rate-limit',
        'route',
        'guardrails',
        'cache',
        'target-limit',
        'transform',
        'provider-call',
      ],
    })
    await gateway.gateway.reload(testConfig({ plugins: [{ defaults: { without: ['holding'] } }, 'mock'] }), 'second')
    expect(await ready(gateway)).toMatchObject({
      config: { version: 'second' },
      stages: [
        'logging',
        'auth',
        'mcp-tools',
        'responses',
        'files',
        'batches',
        'mcp',
        'config',
        'rate-limit',
        'route',
        'guardrails',
        'cache',
        'target-limit',
        'transform',
        'provider-call',
      ],
    })
  })

  test('once it drains, a new config is closed again and not used', async () => {
    const { plugin, steps } = holding()
    const gateway = await start(plugin)
    await gateway.gateway.drain(1_000)
    await gateway.gateway.reload(generation(2), 'second')
    expect(steps).toEqual(['closed 2'])
    expect((await ready(gateway)).config).toEqual({ version: 'none' })
  })
})

describe('the stored side', () => {
  test('is built for each config anew, and served beside the calls under its base path', async () => {
    const { plugin } = holding()
    const seen: { readonly stages: number; readonly basePath: string }[] = []
    const gateway = await startTestGateway({
      plugins: [plugin],
      deps: {
        management: (runtime, { server: { basePath } }) => {
          seen.push({ stages: runtime.stages.length, basePath })
          const path = `${basePath}/v2/things/:id`
          return {
            paths: [{ method: 'GET', path, guard: 'none' }],
            refusals: [],
            mount: (add) => add('GET', path, (_request, { id }) => Response.json({ id, generation: seen.length })),
          }
        },
      },
    })
    running.push(gateway)
    const ask = async (path: string, method = 'GET'): Promise<unknown> => {
      const response = await fetch(`${gateway.url}${path}`, { method })
      return [response.status, response.headers.get('allow') ?? (await response.json())]
    }
    expect(await ask('/v2/things/a%20b')).toEqual([200, { id: 'a b', generation: 1 }])
    expect(await ask('/v2/things/one', 'DELETE')).toEqual([405, 'GET'])
    expect((await call(gateway)).status).toBe(200)

    await gateway.gateway.reload(testConfig({ server: { basePath: '/llm' } }), 'second')
    expect(await ask('/llm/v2/things/one')).toEqual([200, { id: 'one', generation: 2 }])
    expect(await ask('/v2/things/one')).toMatchObject([404, { ok: false }])
    expect(seen).toEqual([
      { stages: 16, basePath: '' },
      { stages: 16, basePath: '/llm' },
    ])
    expect(gateway.gateway.app.routes.map(({ path }) => path)).toContain('/llm/v2/things/:id')
  })
})

describe('drain', () => {
  test('refuses new calls, waits for the running one, and lets it end well', async () => {
    const { plugin, entered, letGo } = holding()
    const gateway = await start(plugin)
    const held = call(gateway, { 'x-hold': 'yes' })
    await entered()
    const drained = gateway.gateway.drain(60_000)
    const refused = await call(gateway)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('connection')).toBe('close')
    expect(await refused.json()).toMatchObject({ error: { code: 'shutting_down' } })
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    letGo()
    expect((await held).status).toBe(200)
    await drained
    expect(gateway.gateway.calls.running).toBe(0)
  })

  test('a call that outlives the limit is ended with an error of its own', async () => {
    const { plugin, entered, letGo } = holding()
    const gateway = await start(plugin)
    const held = call(gateway, { 'x-hold': 'yes' })
    await entered()
    await gateway.gateway.drain(1)
    letGo()
    const response = await held
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'shutting_down' } })
  })

  test('waits for the calls of a config that was replaced, too', async () => {
    const { plugin, steps, entered, letGo } = holding()
    const gateway = await start(plugin)
    const held = call(gateway, { 'x-hold': 'yes' })
    await entered()
    await gateway.gateway.reload(generation(2), 'second')
    let drained = false
    const draining = gateway.gateway.drain(60_000).then(() => {
      drained = true
    })
    expect((await call(gateway)).status).toBe(503)
    expect(drained).toBe(false)
    letGo()
    expect((await held).status).toBe(200)
    await draining
    expect(steps).toEqual(['closed 1'])
  })

  test('ends the calls of a config that was replaced when they outlive the limit', async () => {
    const { plugin, entered, letGo } = holding()
    const gateway = await start(plugin)
    const held = call(gateway, { 'x-hold': 'yes' })
    await entered()
    await gateway.gateway.reload(generation(2), 'second')
    await gateway.gateway.drain(1)
    letGo()
    expect(await (await held).json()).toMatchObject({ error: { code: 'shutting_down' } })
  })
})

test('a route of a plugin at a place of the gateway itself is refused at the start', async () => {
  const plugin = definePlugin({
    name: 'ready',
    config: t.Object({}),
    setup: () => ({ routes: [{ method: 'GET', path: '/readyz', endpoint: 'models' }] }),
  })
  await expect(start(plugin)).rejects.toThrow(
    new ConfigError("route 'GET /readyz' is brought by both ready and the gateway itself"),
  )
})
