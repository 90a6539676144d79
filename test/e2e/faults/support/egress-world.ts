import { createServer, type Server } from 'node:net'
import { jsonPlan } from '../../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway, type TestGatewayOptions } from '../../../support/gateway.ts'
import { type RouteSample, samplesOf } from '../../../support/route-samples.ts'
import { SAMPLE_PROMPTS } from '../../../support/sample-prompts.ts'
import type { Choosing } from './host-ways.ts'
import { providerAt } from './probe.ts'
import { expectNothingInternal } from './wire.ts'

/** Path of the provider's base URL: deeper than one segment, so that climbing out of it shows. */
export const BASE = '/inner/v1'

/** A gateway whose one provider records what it gets, beside a listener that nobody may ever connect to. */
export interface EgressWorld {
  readonly gateway: TestGateway
  readonly provider: MockServer
  readonly canary: { readonly port: number; readonly connects: number }
  /** Names that were looked up. */
  readonly lookups: string[]
  /** A call that chooses its host. */
  ask(sample: RouteSample, choosing: Choosing): Promise<EgressAnswer>
  close(): Promise<void>
}

export interface EgressAnswer {
  readonly status: number
  readonly code: string | undefined
}

export interface EgressWorldOptions {
  readonly trustedHosts?: (provider: MockServer) => readonly string[]
  readonly lookup?: (hostname: string) => readonly string[] | undefined
  readonly answer?: (canaryPort: number) => ReturnType<typeof jsonPlan>
  readonly deps?: TestGatewayOptions['deps']
}

export const startEgressWorld = async (options: EgressWorldOptions = {}): Promise<EgressWorld> => {
  let connects = 0
  const listener = createServer((socket) => {
    connects++
    socket.destroy()
  })
  const canaryPort = await listening(listener)
  const provider = await startMockServer({
    maxRecorded: 10_000,
    answer: () => options.answer?.(canaryPort) ?? jsonPlan(200, { object: 'list', data: [] }),
  })
  const lookups: string[] = []
  const gateway = await startTestGateway({
    plugins: [providerAt(`${provider.url}${BASE}`)],
    config: {
      // The address of the provider with its port: nothing else on this machine.
      egress: { trustedHosts: [...(options.trustedHosts?.(provider) ?? [`127.0.0.1:${provider.port}`])] },
      plugins: ['defaults', 'probe'],
    },
    deps: {
      prompts: SAMPLE_PROMPTS,
      ...options.deps,
      lookup: async (hostname) => {
        lookups.push(hostname)
        const found = options.lookup?.(hostname)
        if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
        return found
      },
    },
  })
  return {
    gateway,
    provider,
    lookups,
    canary: {
      port: canaryPort,
      get connects() {
        return connects
      },
    },
    async ask({ method, path, body: own }, { headers, body = own }) {
      const response = await gateway.gateway.handle(
        new Request(`http://gateway.test${path}`, {
          method,
          headers: { 'x-gateway-api-key': API_KEY, ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      )
      const text = await response.text()
      expectNothingInternal(text)
      return { status: response.status, code: /"(?:code|reason)":"(\w+)"/.exec(text)?.[1] }
    },
    async close() {
      await gateway.close()
      await provider.close()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** A port that is free on every address. */
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/**
 * One sample of each kind of call of every route, in the form without a config of its own. What is kept at providers, dozens of routes
 * that pass in one stage, is asked for below one root alone: all of them would take minutes.
 */
export const callsOf = ({ gateway }: EgressWorld): readonly RouteSample[] =>
  gateway.gateway.routes.flatMap((route) => {
    if (route.endpoint.singleTarget === true && !route.path.startsWith('/v1/')) return []
    const kinds = new Map<string, RouteSample>()
    for (const sample of samplesOf(route)) {
      const kind = `${sample.method} ${sample.endpoint}`
      if (sample.bringsConfig !== true && sample.reachesNobody !== true && !kinds.has(kind)) kinds.set(kind, sample)
    }
    return [...kinds.values()]
  })
