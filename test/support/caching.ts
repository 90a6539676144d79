import { attempt } from '#calls/slots'
import { type Answer, nextPiece, openaiCompatible, type Stage } from '#kit'
import { cacheUse, callConfig, gatewayHeaders, principal, report, type Target, target } from '#kit/slots'
import { type FakeHost, fakeHost, setUp } from '#kit/testing'
import plugin from '../../plugins/pipeline/cache/index.ts'
import { WholeBody } from '../../src/core/bodies/body.ts'
import { Call } from '../../src/core/call.ts'
import { composePipeline } from '../../src/core/pipeline.ts'
import { cancelledWith } from './cancelled-with.ts'
import { endpoint } from './endpoints.ts'
import { planOf, streamOf } from './routing.ts'

export const HOUR = { mode: 'simple', maxAgeSeconds: 3_600 } as const

export const CHAT = { model: 'm-1', messages: [{ role: 'user', content: 'Hello' }] }

export const ACME = openaiCompatible({
  id: 'acme',
  baseURL: 'https://acme.example/v1',
  endpoints: ['chat', 'embeddings'],
  headers: ['openai-beta'],
})

/** A whole answer. */
export const completion = (content = 'Hi', more: Record<string, unknown> = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm-1-2026',
  choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  ...more,
})

export const jsonAnswer = (body: unknown = completion(), status = 200): Answer => ({
  status,
  headers: new Headers({ 'content-type': 'application/json', 'x-request-id': 'of-the-provider' }),
  body: new TextEncoder().encode(JSON.stringify(body)),
})

const chunk = (delta: unknown, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-2', object: 'chat.completion.chunk', created: 2, model: 'm-1-2026', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`

/** A stream of these texts; without its end it breaks off. */
export const streamAnswer = (texts: readonly string[], thrown?: unknown): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'text/event-stream; charset=utf-8' }),
  body: streamOf(
    [
      chunk({ role: 'assistant', content: '' }),
      ...texts.map((content) => chunk({ content })),
      ...(thrown === undefined ? [chunk({}, 'stop'), 'data: [DONE]\n\n'] : []),
    ],
    thrown,
  ),
})

export interface CacheAsk {
  readonly body?: Record<string, unknown>
  /** Of the body, instead. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly endpoint?: string
  readonly tenant?: { readonly organisationId?: string; readonly workspaceId?: string }
  readonly metadata?: Readonly<Record<string, string>>
  readonly to?: Partial<Target>
  /** The config asks for no cache. */
  readonly uncached?: true
  readonly remainingMs?: number
  readonly signal?: AbortSignal
  /** What the provider does; by default it answers in the form that was asked for. */
  readonly provider?: (call: Call) => Answer | Promise<Answer>
}

export interface CacheReply {
  readonly call: Call
  readonly answer: Answer
  readonly status: string | undefined
  /** All of the answer; ends the call. */
  text(): Promise<string>
}

export interface CacheWorld {
  readonly host: FakeHost
  /** How often the provider was asked. */
  readonly asked: () => number
  ask(options?: CacheAsk): Promise<CacheReply>
  /** The status, once the whole answer was read. */
  status(options?: CacheAsk): Promise<string | undefined>
}

/** A gateway of nothing but the stage and a provider. */
export const cacheWorld = async (
  settings: Record<string, unknown> = {},
  overrides: Parameters<typeof fakeHost>[0] = {},
): Promise<CacheWorld> => {
  const host = fakeHost(overrides)
  const { parts } = await setUp(plugin, settings, host)
  let asked = 0
  const ask = async (options: CacheAsk = {}): Promise<CacheReply> => {
    const call = callOf(options, host)
    const provider: Stage = {
      name: 'provider',
      run: async (attempted) => {
        asked++
        attempted.set(report, { provider: 'acme', model: 'm-1', droppedParams: ['seed'], stream: false })
        const { stream } = { ...options.body }
        const answer = await (options.provider ?? (() => (stream === true ? streamAnswer(['Hi']) : jsonAnswer())))(call)
        attempted.recordUsage({ inputTokens: 3, outputTokens: 2, totalTokens: 5 })
        return answer
      },
    }
    const answer = await composePipeline([...(parts.stages ?? []), provider])(call)
    return { call, answer, status: call.replyHeaders.get('x-gateway-cache-status'), text: () => readAll(call, answer) }
  }
  return {
    host,
    asked: () => asked,
    ask,
    async status(options) {
      const reply = await ask(options)
      await reply.text()
      return reply.status
    },
  }
}

/** Reads an answer as the door does, and ends the call as it does. */
const readAll = async (call: Call, { body, status }: Answer): Promise<string> => {
  let text = ''
  try {
    if (body instanceof Uint8Array) text = new TextDecoder().decode(body)
    else {
      for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
        text += new TextDecoder().decode(piece)
      }
    }
  } catch (thrown) {
    call.finish('truncated', status)
    throw thrown
  }
  call.finish('completed', status)
  return text
}

const callOf = (options: CacheAsk, host: FakeHost): Call => {
  const {
    body = CHAT,
    text = JSON.stringify(body),
    headers = {},
    endpoint: id = 'chat',
    tenant,
    metadata = {},
  } = options
  const call = new Call({
    id: host.randomId(),
    endpoint: endpoint(id),
    route: '/v1/chat/completions',
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers: new Headers(headers),
      body: new WholeBody(new TextEncoder().encode(text)),
    },
    cancellation: cancelledWith(options.signal),
    now: () => host.clock.monotonicMs(),
    onListenerError: (error) => {
      throw error
    },
  })
  call.set(principal, {
    keyId: 'key-1',
    keyName: 'key',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set<string>(),
    ...tenant,
  })
  call.set(gatewayHeaders, {
    get: (name) => call.request.headers.get(`x-gateway-${name}`) ?? undefined,
    aliasPrefix: () => undefined,
    owns: () => false,
  })
  call.set(callConfig, {
    plan: planOf({ provider: 'acme' }),
    bind: () => {
      throw new Error('bound already')
    },
    metadata,
  })
  call.set(target, {
    path: 'config',
    provider: ACME,
    settings: {},
    forwardHeaders: [],
    strict: true,
    ...(options.uncached ? {} : { cache: HOUR }),
    ...options.to,
  })
  const totalMs = options.remainingMs ?? 900_000
  call.set(attempt, { deadlines: { connectMs: 5_000, firstByteMs: 60_000, idleMs: 60_000, totalMs } })
  return call
}

/** What the cache did with a call. */
export const useOf = ({ call }: CacheReply) => call.find(cacheUse)
