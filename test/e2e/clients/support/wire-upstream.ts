import { jsonPlan, type Plan, ssePlan } from '../../../../plugins/providers/mock/plan.ts'
import { type RecordedRequest, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { type Fixture, loadFixtures } from '../../../../src/kit/testing/fixture.ts'

/** Hosts of OpenAI's format, each with a few differences. */
export const COMPATIBLE_PROVIDERS = [
  'xai',
  'perplexity-ai',
  'fireworks-ai',
  'cerebras',
  'nebius',
  'deepinfra',
  'huggingface',
  'workers-ai',
  'github',
  'dashscope',
  'moonshot',
  'zai',
  'sambanova',
  'novita-ai',
  'hyperbolic',
  'nvidia-nim',
  'vllm',
  'lmstudio',
  'llama-cpp',
] as const

/** Providers whose recorded answers are played back. */
export const WIRE_PROVIDERS = [
  ...COMPATIBLE_PROVIDERS,
  'anthropic',
  'google',
  'azure-openai',
  'groq',
  'mistral-ai',
  'deepseek',
  'openai',
] as const
export type WireProvider = (typeof WIRE_PROVIDERS)[number]

/** What a provider got, its path as it stands below the base URL. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly body: unknown
}

/** Providers on a loopback socket that speak their real wire formats: the recorded answers of their fixtures. */
export interface WireUpstream {
  /** Base URL below which the provider gives the answer of this fixture to every call. */
  baseURL(provider: WireProvider, fixture: string): string
  /** The newest call, whole. */
  last(): Arrived
  readonly received: number
  close(): Promise<void>
}

export const startWireUpstream = async (): Promise<WireUpstream> => {
  const byProvider = new Map(WIRE_PROVIDERS.map((provider) => [provider, loadWireFixtures(provider)]))
  const fixture = (provider: WireProvider, name: string): Fixture => {
    const found = byProvider.get(provider)?.get(name)
    if (found === undefined) throw new Error(`${provider} has no fixture ${name}`)
    return found
  }
  const answer = (request: RecordedRequest): Plan => {
    const [provider, name] = parts(request)
    return answerOf(fixture(provider, name), fixture(provider, 'plain-text'))
  }
  const server = await startMockServer({ answer, maxRecorded: 1 })
  return {
    baseURL: (provider, name) => `${server.url}/${provider}/${name}`,
    last() {
      const [request] = server.requests
      if (request === undefined) throw new Error('nothing has arrived')
      const [, , path] = parts(request)
      const text = new TextDecoder().decode(request.body)
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      return { method: request.method, path, headers: request.headers, text, body }
    },
    get received() {
      return server.counters.received
    },
    close: () => server.close(),
  }
}

/** Fixtures of a provider by name. */
export const loadWireFixtures = (provider: WireProvider): ReadonlyMap<string, Fixture> => {
  const folder = new URL(`../../../../plugins/providers/${provider}/fixtures/`, import.meta.url)
  return new Map(loadFixtures(folder).map((each) => [each.name, each.fixture]))
}

const parts = ({ path }: RecordedRequest): [WireProvider, string, string] => {
  const match = /^\/([^/]+)\/([^/]+)(\/.*)$/.exec(path)
  const provider = WIRE_PROVIDERS.find((known) => known === match?.[1])
  if (provider === undefined) throw new Error(`${path} names no provider`)
  return [provider, match?.[2] ?? '', match?.[3] ?? '']
}

/** A fixture that only shows the request gets any right answer. */
const answerOf = ({ status = 200, answer, stream }: Fixture, otherwise: Fixture): Plan => {
  if (stream !== undefined) return ssePlan([stream])
  return jsonPlan(answer === undefined ? 200 : status, answer ?? otherwise.answer)
}
