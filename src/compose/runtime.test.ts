import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { testConfig } from '../../test/support/gateway.ts'
import { ConfigError } from '../config/config-error.ts'
import { EgressRefused } from '../errors/gateway-error.ts'
import { defineEndpoint } from '../kit/endpoint.ts'
import { definePlugin, type Parts, type Placement, type Plugin, type StoredProviders } from '../kit/plugin.ts'
import { openaiCompatible } from '../kit/provider/openai-compatible.ts'
import { fakeHost } from '../kit/testing/fake-host.ts'
import { createRuntime, type Runtime, type RuntimeDeps } from './runtime.ts'

const stagePlugin = (name: string, placement?: Placement, parts: Partial<Parts> = {}): Plugin =>
  definePlugin({
    name,
    config: t.Object({ level: t.Integer({ default: 1 }) }),
    ...(placement === undefined ? {} : { placement }),
    setup: () => ({ stages: [{ name, run: (_call, next) => next() }], ...parts }),
  })

const required = ['auth', 'config', 'route', 'transform', 'provider-call'].map((name) => stagePlugin(name))

/** Builds a runtime of the required stages and these plugins. */
const build = (
  extra: readonly Plugin[],
  { config = {}, ...overrides }: Partial<RuntimeDeps> & { config?: Parameters<typeof testConfig>[0] } = {},
): { readonly host: ReturnType<typeof fakeHost>; runtime: Promise<Runtime> } => {
  const host = fakeHost()
  const plugins = [...required, ...extra]
  const runtime = createRuntime(testConfig({ plugins: plugins.map(({ name }) => name), ...config }), process.cwd(), {
    clock: host.clock,
    log: host.log,
    callLog: host.callLog,
    tracing: host.tracing,
    keys: host.keys,
    builtIns: { plugins, always: {}, onRequest: new Set() },
    randomId: host.randomId,
    ...overrides,
  })
  return { host, runtime }
}

const refusal = async (runtime: Promise<unknown>): Promise<string> => {
  try {
    await runtime
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  throw new Error('the runtime was built')
}

const provider = (id: string): Parts => ({
  providers: [openaiCompatible({ id, baseURL: 'https://api.example.com/v1' })],
})

describe('the life of plugins', () => {
  /** A plugin that writes its steps down. */
  const recorded = (name: string, steps: string[], fault?: 'setup' | 'close'): Plugin =>
    definePlugin({
      name,
      config: t.Object({}),
      setup: async () => {
        await Promise.resolve()
        if (fault === 'setup') throw new Error(`${name} has no disk`)
        steps.push(`${name} set up`)
        return {
          close: async () => {
            steps.push(`${name} closing`)
            await Promise.resolve()
            if (fault === 'close') throw new Error(`${name} is stuck`)
            steps.push(`${name} closed`)
          },
        }
      },
    })

  test('set up in the order of the list, closed one after the other in reverse, once', async () => {
    const steps: string[] = []
    const { runtime } = build([recorded('a', steps), recorded('b', steps)])
    const running = await runtime
    expect(steps).toEqual(['a set up', 'b set up'])
    await Promise.all([running.close(), running.close()])
    await running.close()
    expect(steps.slice(2)).toEqual(['b closing', 'b closed', 'a closing', 'a closed'])
  })

  test('a setup that fails closes those before it and names itself', async () => {
    const steps: string[] = []
    const { runtime } = build([recorded('a', steps), recorded('b', steps), recorded('c', steps, 'setup')])
    expect(await refusal(runtime)).toBe("plugin 'c' cannot start: c has no disk")
    expect(steps).toEqual(['a set up', 'b set up', 'b closing', 'b closed', 'a closing', 'a closed'])
  })

  test('a chain that cannot be put together closes every plugin', async () => {
    const steps: string[] = []
    const { runtime } = build([recorded('a', steps), stagePlugin('lost')])
    expect(await refusal(runtime)).toContain("stage 'lost'")
    expect(steps).toEqual(['a set up', 'a closing', 'a closed'])
  })

  test('a close that fails is logged and does not stop the others', async () => {
    const steps: string[] = []
    const { runtime, host } = build([recorded('a', steps), recorded('b', steps, 'close')])
    await (await runtime).close()
    expect(steps.at(-1)).toBe('a closed')
    expect(host.logLines).toEqual([
      { level: 'error', message: 'a plugin could not be closed', fields: { plugin: 'b', error: 'Error: b is stuck' } },
    ])
  })
})

describe('settings', () => {
  const settingsOf = (): { readonly plugin: Plugin; readonly seen: unknown[] } => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'mine',
      config: t.Object({ level: t.Integer({ default: 1 }), names: t.Array(t.String(), { default: [] }) }),
      setup: (config) => {
        seen.push(config)
        return {}
      },
    })
    return { plugin, seen }
  }
  const names = required.map(({ name }) => name)

  test('of the file reach the plugin, defaults filled in', async () => {
    const { plugin, seen } = settingsOf()
    await build([plugin], { config: { plugins: [...names, { mine: { level: 3 } }] } }).runtime
    expect(seen).toEqual([{ level: 3, names: [] }])
  })

  test('from outside the file are laid over them', async () => {
    const { plugin, seen } = settingsOf()
    const extraSettings = (name: string, settings: Readonly<Record<string, unknown>>) =>
      name === 'mine' ? { ...settings, names: ['outside'] } : settings
    await build([plugin], { config: { plugins: [...names, { mine: { level: 3 } }] }, extraSettings }).runtime
    expect(seen).toEqual([{ level: 3, names: ['outside'] }])
  })

  test('that the plugin does not know are refused with the nearest it knows', async () => {
    const { plugin, seen } = settingsOf()
    const { runtime } = build([plugin], { config: { plugins: [...names, { mine: { levle: 3, names: [1] } }] } })
    expect((await refusal(runtime)).split('\n')).toEqual([
      "plugins[5].mine.levle: unknown key; did you mean 'level'?",
      'plugins[5].mine.names[0]: expected string',
    ])
    expect(seen).toEqual([])
  })
})

describe('is refused', () => {
  test.each(required.map(({ name }) => name))('a chain without %s', async (missing) => {
    const plugins = required.map(({ name }) => name).filter((name) => name !== missing)
    expect(await refusal(build([], { config: { plugins } }).runtime)).toBe(
      `plugins: '${missing}' is missing: no call can be served without it. List it, or 'defaults'.`,
    )
  })

  test('a chain that limits calls and does not tell what they have cost', async () => {
    const limit = stagePlugin('rate-limit')
    expect(await refusal(build([limit]).runtime)).toBe(
      "plugins: 'logging' is missing: 'rate-limit' could not tell what calls have cost, and no budget would hold. List it, or leave 'rate-limit' out.",
    )
    await build([limit, stagePlugin('logging')]).runtime
  })

  test('a provider that exists already', async () => {
    const first = stagePlugin('first', { after: 'auth' }, provider('acme'))
    const second = stagePlugin('second', { after: 'auth' }, provider('acme'))
    expect(await refusal(build([first, second]).runtime)).toBe(
      "provider 'acme' of plugin 'second' (built-in) exists already",
    )
  })

  test('an account that exists already, or has the id of a provider', async () => {
    const account = (name: string): Plugin => stagePlugin(name, { after: 'auth' }, { accounts: [{ id: 'acme' }] })
    expect(await refusal(build([account('first'), account('second')]).runtime)).toBe(
      "account 'acme' of plugin 'second' (built-in) exists already",
    )
    const acme = stagePlugin('models', { after: 'auth' }, provider('acme'))
    expect(await refusal(build([account('first'), acme]).runtime)).toBe("account 'acme' has the id of a provider")
    expect((await build([account('first')]).runtime).accounts).toEqual([{ id: 'acme' }])
  })

  describe('what two plugins bring', () => {
    const kind = (id: string, path: string): Parts => ({
      endpoints: [
        defineEndpoint({
          id,
          routes: [{ method: 'POST', path, roots: ['/v1'] }],
          requestTypes: [id],
          operation: id,
          body: { kind: 'any' },
          answer: { kind: 'bytes' },
        }),
      ],
    })
    const refusalOf = (first: Parts, second: Parts): Promise<string> =>
      refusal(
        build([stagePlugin('first', { after: 'auth' }, first), stagePlugin('second', { after: 'auth' }, second)])
          .runtime,
      )

    test('at one path, whatever its parameters are called', async () => {
      expect(await refusalOf(kind('one', '/things/:id/run'), kind('other', '/things/:name/run'))).toBe(
        "route 'POST /v1/things/:name/run' is brought by both first and second",
      )
    })

    test('under one id', async () => {
      expect(await refusalOf(kind('one', '/one'), kind('one', '/other'))).toBe(
        "endpoint 'one' of plugin 'second' exists already",
      )
    })
  })

  test('a route to an endpoint that nobody brings', async () => {
    const parts: Parts = { routes: [{ method: 'POST', path: '/v1/things', endpoint: 'things' }] }
    expect(await refusal(build([stagePlugin('first', { after: 'auth' }, parts)]).runtime)).toBe(
      "no plugin that runs brings the endpoint 'things'",
    )
  })

  test('a trusted host that is none', async () => {
    const { runtime } = build([], { config: { egress: { trustedHosts: ['10.0.0.0/99'] } } })
    expect(await refusal(runtime)).toBe(
      "egress.trustedHosts[0]: '10.0.0.0/99' is not a host, host:port, address or CIDR block",
    )
  })

  test('a trusted proxy that is no address', async () => {
    const { runtime } = build([], { config: { server: { trustedProxies: ['10.0.0.0/8', 'proxy.internal'] } } })
    expect(await refusal(runtime)).toBe("server.trustedProxies[1]: 'proxy.internal' is not an address or CIDR block")
  })

  test('a section `jwt` that says nothing of the keys, or in two ways, or in no URL', async () => {
    const jwksUri = 'https://login.example.com/jwks.json'
    const said = (jwt: Record<string, unknown>) => refusal(build([], { config: { jwt } }).runtime)
    expect(await said({})).toBe('jwt: give one of jwksUri and jwks')
    expect(await said({ jwksUri, jwks: { keys: [{ kty: 'RSA' }] } })).toBe('jwt: give one of jwksUri and jwks')
    expect(await said({ jwksUri: `${jwksUri}, file:///etc/keys` })).toBe(
      "jwt.jwksUri: 'file:///etc/keys' is not an http(s) URL",
    )
    expect(await build([], { config: { jwt: { jwksUri } } }).runtime).toHaveProperty('routes')
  })
})

describe('the check of a custom host', () => {
  test('is that of the host, by the trusted hosts of this very config', async () => {
    const seen: ((url: string) => string)[] = []
    const looking = definePlugin({
      name: 'looking',
      config: t.Object({}),
      needs: ['checkCustomHost'],
      setup: (_config, { checkCustomHost }) => {
        seen.push(checkCustomHost)
        return {}
      },
    })
    const egress = { trustedHosts: ['models.internal:8080'] }
    const running = await build([looking], { config: { egress } }).runtime
    for (const checkCustomHost of [running.checkCustomHost, ...seen]) {
      expect(checkCustomHost('http://models.internal:8080/v1/')).toBe('http://models.internal:8080/v1')
      expect(() => checkCustomHost('http://other.internal:8080/v1')).toThrow(EgressRefused)
    }
    expect(seen).toHaveLength(1)
  })
})

describe('capabilities', () => {
  const settingUp = (needs: string[], setup: (config: unknown, host: Record<string, unknown>) => object): Plugin =>
    ({ name: 'asking', config: t.Object({}), needs, setup }) as unknown as Plugin

  test('are those that a plugin asks for', async () => {
    let seen: Record<string, unknown> = {}
    const asking = settingUp(['random', 'clock'], (_config, host) => {
      seen = { ...host }
      return {}
    })
    await build([asking], {}).runtime
    expect(Object.keys(seen).toSorted()).toEqual(['clock', 'random'])
  })

  test('are not there for one that did not ask, and it says so', async () => {
    const reaching = settingUp(['clock'], (_config, { clock, upstream }) => ({ clock, upstream }))
    await expect(build([reaching], {}).runtime).rejects.toThrow(
      "plugin 'asking' cannot start: it uses `upstream` of its host, which it has to ask for: needs: ['upstream']",
    )
  })

  test('that no host has stop the start', async () => {
    await expect(build([settingUp(['clok'], () => ({}))], {}).runtime).rejects.toThrow(
      "plugin 'asking' cannot start: it needs `clok`, but a host has only: clock, log,",
    )
  })
})

describe('stored providers', () => {
  const storedOf = async (stored?: StoredProviders): Promise<StoredProviders | undefined> => {
    let seen: StoredProviders | undefined
    const looking = definePlugin({
      name: 'looking',
      config: t.Object({}),
      needs: ['stored'],
      setup: (_config, { stored }) => {
        seen = stored
        return {}
      },
    })
    await build([looking], stored === undefined ? {} : { stored }).runtime
    return seen
  }

  test('reach the plugins; without a store there are none', async () => {
    const stored: StoredProviders = { find: () => undefined, models: () => [{ slug: 'a', models: ['m'] }] }
    expect(await storedOf(stored)).toBe(stored)
    const nothing = await storedOf()
    expect([nothing?.find('workspace-1', 'a'), nothing?.models('workspace-1')]).toEqual([undefined, []])
  })
})

describe('places', () => {
  test('of the file win over those of the plugin', async () => {
    const mine = stagePlugin('mine', { after: 'auth' })
    const names = required.map(({ name }) => name)
    const place = async (plugins: NonNullable<Parameters<typeof testConfig>[0]>['plugins']) =>
      (await build([mine], { config: { plugins: plugins ?? [] } }).runtime).stages.map(({ stage }) => stage.name)
    expect(await place([...names, 'mine'])).toEqual(['auth', 'mine', 'config', 'route', 'transform', 'provider-call'])
    expect(await place([...names, { use: 'mine', after: 'transform' }])).toEqual([
      'auth',
      'config',
      'route',
      'transform',
      'mine',
      'provider-call',
    ])
    expect(await place([...names, { use: 'mine', before: 'transform' }])).toEqual([
      'auth',
      'config',
      'route',
      'mine',
      'transform',
      'provider-call',
    ])
  })

  test('the providers of all plugins are found at call time, in the order of the list', async () => {
    const seen: { list?: () => readonly string[]; get?: (id: string) => string | undefined } = {}
    const looking = definePlugin({
      name: 'looking',
      config: t.Object({}),
      needs: ['providers'],
      setup: (_config, { providers }) => {
        seen.list = () => providers.list().map(({ id }) => id)
        seen.get = (id) => providers.get(id)?.id
        return {}
      },
    })
    const running = await build([
      looking,
      stagePlugin('first', { after: 'auth' }, provider('b')),
      stagePlugin('second', { after: 'auth' }, provider('a')),
    ]).runtime
    expect(running.providers.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(seen.list?.()).toEqual(['b', 'a'])
    expect([seen.get?.('a'), seen.get?.('none')]).toEqual(['a', undefined])
  })
})
