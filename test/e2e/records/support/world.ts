import { type MockServer, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import type { GatewayDeps } from '../../../../src/compose/gateway.ts'
import type { OperatorConfigInput } from '../../../../src/config/schema.ts'
import type { Bought, Prices } from '../../../../src/core/prices.ts'
import type { CallRecord } from '../../../../src/core/records.ts'
import { type Check, definePlugin, t } from '../../../../src/kit/index.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'
import { createKeepingRecorder, type KeepingRecorder } from '../../../support/records/keeping-recorder.ts'

/** Of the test: 2 picodollars a token in, 3 a token out, 1,000 a unit of any kind. `mock-echo` has no price. */
export const priceOf = ({ models, usage, reportedDollars }: Bought): ReturnType<Prices['costOf']> => {
  if (models.some((model) => model === 'mock-echo')) return undefined
  if (reportedDollars !== undefined) {
    const total = Math.round(reportedDollars * 1e12)
    return { cost: { total, input: 0, output: 0, cache: 0, other: total }, priceId: 'provider' }
  }
  const input = 2 * usage.inputTokens
  const output = 3 * usage.outputTokens
  const other = 1_000 * Object.values(usage.units ?? {}).reduce((sum, count) => sum + count, 0)
  return { cost: { total: input + output + other, input, output, cache: 0, other }, priceId: 'test' }
}

export interface World {
  readonly gateway: TestGateway
  readonly recorder: KeepingRecorder
  /** Stands for OpenAI (`openai`); the mock is itself (`mock`). */
  readonly upstream: MockServer
  /** What was priced, in order. */
  readonly bought: Bought[]
  ask(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Asked>
  /** Records of a call whose answer was read by the test itself. */
  recordsOf(response: Response): Promise<readonly CallRecord[]>
  close(): Promise<void>
}

export interface Asked {
  readonly response: Response
  readonly text: string
  readonly record: CallRecord
  readonly attempts: readonly CallRecord[]
}

export interface WorldOptions {
  readonly config?: OperatorConfigInput
  readonly deps?: Partial<GatewayDeps>
  /** Run besides those that are built in. */
  readonly checks?: readonly Check[]
  readonly answer?: NonNullable<Parameters<typeof startMockServer>[0]>['answer']
}

export const headersOf = (headers: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'x-gateway-api-key': API_KEY,
  'x-gateway-provider': 'openai',
  authorization: 'Bearer sk-of-the-caller-0123456789',
  ...headers,
})

/** A gateway on a socket whose records are kept in memory, in front of a mock that stands for OpenAI. */
export const startWorld = async ({ config, deps, answer, checks = [] }: WorldOptions = {}): Promise<World> => {
  const recorder = createKeepingRecorder()
  const bought: Bought[] = []
  const prices = definePlugin({
    name: 'test-prices',
    config: t.Object({}),
    setup: () => ({
      checks,
      prices: {
        costOf(each) {
          bought.push(each)
          return priceOf(each)
        },
        worstOf: ({ most, ...asked }) => priceOf({ ...asked, usage: { ...most, totalTokens: 0 } })?.cost.total,
        sizesOf: () => undefined,
        describe: () => undefined,
        list: () => ({ rows: [], total: 0 }),
      },
    }),
  })
  const upstream = await startMockServer(answer === undefined ? {} : { answer })
  const gateway = await startTestGateway({
    config: {
      ...config,
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: `${upstream.url}/v1` } },
        { route: { retryBaseMs: 1 } },
        'test-prices',
      ],
    },
    plugins: [prices],
    deps: { records: recorder, randomId: (atMs) => Bun.randomUUIDv7('hex', atMs), ...deps },
  })
  const recordsOf = (response: Response): Promise<readonly CallRecord[]> =>
    recorder.of(response.headers.get('x-gateway-request-id') ?? '')
  return {
    gateway,
    recorder,
    upstream,
    bought,
    recordsOf,
    async ask(path, body, headers) {
      const isForm = body instanceof FormData
      const response = await fetch(`${gateway.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headersOf(headers) },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const [record, ...attempts] = await recordsOf(response)
      if (record === undefined) throw new Error('a call was closed without a record')
      return { response, text, record, attempts }
    },
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}

export const chat = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  model: 'mock',
  messages: [{ role: 'user', content: 'Say something about the sea.' }],
  ...more,
})
