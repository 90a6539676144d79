import { compileConfig } from '#calls/config/compile'
import { readCallConfig } from '#calls/config/read'
import type { Resilience } from '#core/ports'
import {
  type Answer,
  type Endpoint,
  type Finish,
  fromReader,
  type GatewayError,
  nextPiece,
  openaiCompatible,
  type ReadyStream,
  type Stage,
  UpstreamError,
} from '#kit'
import type { BalanceBranch, Leaf, Plan } from '#kit/plan'
import { type CallConfig, callConfig, gatewayHeaders, principal, type Target, target } from '#kit/slots'
import { Breakers } from '../../plugins/pipeline/route/breaker.ts'
import { Journey, type JourneyOptions } from '../../plugins/pipeline/route/journey.ts'
import { Patience } from '../../plugins/pipeline/route/patience.ts'
import { WholeBody } from '../../src/core/bodies/body.ts'
import { Call } from '../../src/core/call.ts'
import { createLocalFlags } from '../../src/core/local-stores.ts'
import { composePipeline } from '../../src/core/pipeline.ts'
import { fakeHost } from '../../src/kit/testing.ts'
import { cancelledWith } from './cancelled-with.ts'
import { endpoint } from './endpoints.ts'

export const planOf = (config: Record<string, unknown>): Plan =>
  compileConfig(readCallConfig(config, { settingNames: new Set() }))

/** As a variable: an object with a literal `then` looks like a promise. */
const THEN = 'then'

/** A condition of a config, or of a plan. */
export const condition = <Query, Then>(query: Query, then: Then) => ({ query, [THEN]: then })

/** The root of a config that balances. */
export const balanceOf = (config: Record<string, unknown>): BalanceBranch => {
  const { root } = planOf(config)
  if (root.kind !== 'branch' || root.mode !== 'loadbalance') throw new Error('the config does not balance')
  return root
}

/** Names of targets stand for their providers. */
export const targetOf = ({ path, provider = 'acme', overrideParams, customHost }: Leaf): Target => ({
  path,
  provider: openaiCompatible({ id: provider, baseURL: 'https://acme.example/v1', endpoints: ['chat'] }),
  settings: {},
  forwardHeaders: [],
  strict: true,
  ...(typeof overrideParams?.model === 'string' ? { model: overrideParams.model } : {}),
  ...(customHost === undefined ? {} : { customHost }),
})

/** What a target does when it is asked for the n-th time, from 1. */
export type Behaviour = (attempt: Call, count: number) => Answer | Promise<Answer>

export const good = (text = 'good'): Answer => ({
  status: 200,
  headers: new Headers(),
  body: new TextEncoder().encode(text),
})

/** A failure of the provider, as `transform` throws it. */
export const failing = (status: number, options: ConstructorParameters<typeof UpstreamError>[1] = {}): GatewayError =>
  new UpstreamError(`status ${status}`, { status, ...options })

export const fails =
  (status: number, options: ConstructorParameters<typeof UpstreamError>[1] = {}): Behaviour =>
  () => {
    throw failing(status, options)
  }

export const throws =
  (error: unknown): Behaviour =>
  () => {
    throw error
  }

/** Behaviours one after the other; the last one stays. */
export const inTurn =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (attempt, count) => {
    const behaviour = behaviours[Math.min(count, behaviours.length) - 1]
    if (behaviour === undefined) throw new Error('no behaviour')
    return behaviour(attempt, count)
  }

/** A stream of these pieces, which ends or throws. */
export const streamOf = (
  pieces: readonly string[],
  thrown?: unknown,
): ReadyStream & { readonly cancelled: boolean } => {
  const left = [...pieces]
  const stream: ReadyStream & { cancelled: boolean } = Object.assign(
    fromReader({
      read: async () => {
        const piece = left.shift()
        if (piece !== undefined) return new TextEncoder().encode(piece)
        if (thrown !== undefined) throw thrown
        return undefined
      },
      cancel: () => {
        stream.cancelled = true
      },
    }),
    { cancelled: false },
  )
  return stream
}

/** What holds where the operator says nothing. */
export const STANDARD: Resilience = fakeHost().resilience

export interface World {
  /** Moves on with every wait of a retry, and by itself never. */
  nowMs: number
  readonly waits: number[]
  readonly options: JourneyOptions
}

/** What calls have in common: clock, chance, breakers. */
export const createWorld = (options: Partial<JourneyOptions> = {}): World => {
  const deadlines = { connectMs: 5_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: options.totalMs ?? 900_000 }
  const now = (): number => world.nowMs
  const world: World = {
    nowMs: 0,
    waits: [],
    options: {
      breakers: { saved: new Breakers(createLocalFlags(now), now), inline: new Breakers(createLocalFlags(now), now) },
      patience: new Patience({ deadlines, resilience: options.resilience ?? STANDARD, now }),
      resilience: STANDARD,
      random: () => 0.5,
      wait: async (ms) => {
        world.waits.push(ms)
        world.nowMs += ms
      },
      recover: ({ answer }) => answer,
      now,
      wallClock: () => 1_700_000_000_000 + world.nowMs,
      totalMs: deadlines.totalMs,
      maxAttempts: 10,
      retryBaseMs: 1_000,
      ...options,
    },
  }
  return world
}

export interface Asked {
  readonly answer?: Answer
  readonly error?: unknown
  /** Providers in the order in which they were asked. */
  readonly asked: readonly string[]
  readonly call: Call
  readonly headers: Record<string, string>
  finish(): Finish
}

export interface AskOptions {
  readonly world?: World
  readonly config?: Partial<CallConfig>
  readonly body?: Record<string, unknown>
  /** `chat` unless given. */
  readonly endpoint?: Endpoint
  /** The body as text, instead. */
  readonly text?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
  /** False: no provider is asked, as when a limit of ours refuses each attempt. */
  readonly reaches?: boolean
  /** Is shown each attempt before its target does anything. */
  readonly before?: (attempt: Call) => void
}

/** Sends one call over a config whose providers behave as told. */
export const ask = async (
  config: Record<string, unknown>,
  behaviours: Readonly<Record<string, Behaviour>>,
  {
    world = createWorld(),
    config: more,
    body = {},
    text,
    headers = {},
    signal,
    endpoint,
    before,
    reaches = true,
  }: AskOptions = {},
): Promise<Asked> => {
  const call = createCall(world, text ?? JSON.stringify(body), headers, signal, endpoint)
  call.set(principal, {
    keyId: 'key-1',
    keyName: 'key',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    scopes: new Set<string>(),
  })
  call.set(gatewayHeaders, { get: () => undefined, aliasPrefix: () => undefined, owns: () => false })
  const bound = new Map<Leaf, Target>()
  const bind = (leaf: Leaf): Target => bound.getOrInsertComputed(leaf, targetOf)
  call.set(callConfig, { plan: planOf(config), bind, metadata: {}, ...more })
  const asked: string[] = []
  const route: Stage = {
    name: 'route',
    attempts: true,
    run: async (whole, next) => new Journey(whole, next, world.options).run(),
  }
  const provider: Stage = {
    name: 'provider',
    run: async (attempt) => {
      const { id } = attempt.get(target).provider
      const behaviour = behaviours[id]
      if (behaviour === undefined) throw new Error(`nobody said how '${id}' behaves`)
      asked.push(id)
      if (reaches) attempt.markProviderReached()
      before?.(attempt)
      return behaviour(attempt, asked.filter((name) => name === id).length)
    },
  }
  let finished: Finish | undefined
  call.onFinish((finish) => {
    finished = finish
  })
  const finish = (): Finish => {
    call.finish('completed', 200)
    if (finished === undefined) throw new Error('the call did not end')
    return finished
  }
  const outcome = await composePipeline([route, provider])(call).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  return { ...outcome, asked, call, headers: Object.fromEntries(call.replyHeaders), finish }
}

export const createCall = (
  world: World,
  body: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
  kind: Endpoint = endpoint('chat'),
): Call =>
  new Call({
    id: 'call-1',
    endpoint: kind,
    route: '/v1/chat/completions',
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers: new Headers(headers),
      body: new WholeBody(new TextEncoder().encode(body)),
    },
    cancellation: cancelledWith(signal),
    now: () => world.nowMs,
    onListenerError: (error) => {
      throw error
    },
  })

/** The text of an answer, plain or streamed. */
export const textOf = async ({ answer, error }: Asked): Promise<string> => {
  if (answer === undefined) throw error
  const { body } = answer
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  let text = ''
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    text += new TextDecoder().decode(piece)
  }
  return text
}
