import type { Plan } from '../../../plugins/providers/mock/plan.ts'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, type RecordedRequest, startMockServer } from '../../../plugins/providers/mock/server.ts'
import type { StoredProvider } from '../../../src/kit/plugin.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { API_KEY, startTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway.ts'

/** Stands in every secret of these tests: wherever it shows up, one leaked. */
export const CANARY = 'canary-7f3a'

/** An answer of a chat in OpenAI's form. */
export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** A service that gives out tokens, `token-1` first, and says what it was asked. */
export interface TokenServer {
  readonly server: MockServer
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Answers the next requests instead. */
  answer: ((request: RecordedRequest) => Plan | undefined) | undefined
  lifeSeconds: number
  latencyMs: number
  close(): Promise<void>
}

export const startTokenServer = async (): Promise<TokenServer> => {
  let given = 0
  const server = await startMockServer({
    answer: (request) => {
      const planned = tokens.answer?.(request)
      if (planned !== undefined) return planned
      given += 1
      const body = { token_type: 'Bearer', access_token: `token-${given}-${CANARY}`, expires_in: tokens.lifeSeconds }
      return { ...jsonPlan(200, body), latencyMs: tokens.latencyMs }
    },
  })
  const tokens: TokenServer = {
    server,
    url: server.url,
    requests: server.requests,
    answer: undefined,
    lifeSeconds: 3600,
    latencyMs: 0,
    close: () => server.close(),
  }
  return tokens
}

export interface LoginGateway extends TestGateway {
  /** Moves the clock of the gateway on. */
  advance(ms: number): void
}

/** A gateway whose clock the test moves, with stored providers of its own. */
export const startLoginGateway = async (
  config: TestGatewayOptions['config'],
  environment: Readonly<Record<string, string>> = {},
  stored: readonly StoredProvider[] = [],
): Promise<LoginGateway> => {
  let passedMs = 0
  const gateway = await startTestGateway({
    ...(config === undefined ? {} : { config }),
    deps: {
      clock: { now: () => systemClock.now() + passedMs, monotonicMs: systemClock.monotonicMs },
      environment,
      stored: { find: (_workspace, slug) => stored.find((each) => each.slug === slug), models: () => [] },
    },
  })
  return {
    ...gateway,
    advance: (ms) => {
      passedMs += ms
    },
  }
}

export const storedAs = (
  slug: string,
  providerId: string,
  settings: Readonly<Record<string, string>>,
  more: { readonly customHost?: string; readonly withoutKey?: true } = {},
): StoredProvider => ({
  slug,
  providerId,
  apiKey: '',
  allows: () => true,
  forModel: () => ({ settings, headers: {}, ...more }),
})

export interface Asked {
  readonly status: number
  readonly text: string
  readonly error: { readonly message?: string; readonly code?: string; readonly param?: string }
}

const CHAT = { messages: [{ role: 'user', content: 'Hello' }] }

/** A chat, or another call. */
export const ask = async (
  { url }: TestGateway,
  headers: Readonly<Record<string, string>>,
  { model = 'm', path = '/v1/chat/completions', ...body }: Record<string, unknown> = {},
): Promise<Asked> => {
  const response = await fetch(`${url}${String(path)}`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, ...CHAT, ...body }),
  })
  const text = await response.text()
  const { error = {} } = response.ok ? { error: {} } : Object(JSON.parse(text))
  return { status: response.status, text, error }
}

/** All that a gateway said to anybody but the provider. */
export const saidBy = ({ records, lines }: TestGateway, ...answers: readonly Asked[]): string =>
  JSON.stringify([records, lines, answers])

export const formOf = ({ body }: RecordedRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)))

export const headerOf = ({ requests }: MockServer, name: string): string | undefined =>
  requests.at(-1)?.headers.get(name)
