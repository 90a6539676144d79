import type { OperatorConfigInput } from '../../../../../src/config/schema.ts'
import { healthy } from '../../../../support/fault-server/answers.ts'
import type { Fault } from '../../../../support/fault-server/faults.ts'
import type { SeenRequest } from '../../../../support/fault-server/request.ts'
import { type FaultServer, type Play, refusingUrl, startFaultServer } from '../../../../support/fault-server/server.ts'
import type { Wire } from '../../../../support/fault-server/wires.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../../../support/gateway.ts'

/** A gateway and two providers that fail on request. */
export interface Scene {
  readonly gateway: TestGateway
  readonly primary: FaultServer
  readonly secondary: FaultServer
  /** Where nobody listens. */
  readonly nowhere: string
  close(): Promise<void>
}

const IDLE: Play = () => ['close']

/** Every deadline of a provider is over in half a second. @param more of the operator's file */
export const startScene = async (
  route: Record<string, unknown> = {},
  more: OperatorConfigInput = {},
): Promise<Scene> => {
  const primary = await startFaultServer(IDLE)
  const secondary = await startFaultServer(IDLE)
  const gateway = await startTestGateway({
    config: {
      plugins: ['defaults', 'openai', 'anthropic', { route: { retryBaseMs: 1, ...route } }],
      deadlines: { connectMs: 500, firstByteMs: 500, idleMs: 500, totalMs: 10_000 },
      server: { keepAliveMs: 50 },
      ...more,
    },
  })
  return {
    gateway,
    primary,
    secondary,
    nowhere: await refusingUrl(),
    async close() {
      await gateway.close()
      await Promise.all([primary.close(), secondary.close()])
    },
  }
}

export interface Asked {
  /** What the primary does. */
  readonly fault: Fault | Play
  readonly wire: Wire
  readonly stream: boolean
  /** Format of the healthy fallback; without it there is none. */
  readonly fallback?: Wire
  /** More of the primary's target, and of the strategy. */
  readonly target?: Readonly<Record<string, unknown>>
  readonly strategy?: Readonly<Record<string, unknown>>
  /** More of the config of both. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly record: Readonly<Record<string, unknown>>
  /** What each provider saw of this call. */
  readonly primary: readonly SeenRequest[]
  readonly secondary: readonly SeenRequest[]
}

export const ask = async (scene: Scene, asked: Asked): Promise<Reply> => {
  const { gateway, primary, secondary, nowhere } = scene
  const { fault, wire, stream, fallback, target, strategy, config: common, body } = asked
  const before = [primary.requests.length, secondary.requests.length]
  const refuses = typeof fault !== 'function' && fault.refuses === true
  primary.play = typeof fault === 'function' ? fault : () => fault.steps(wire)
  secondary.play = fallback === undefined ? IDLE : healthy(fallback)
  const first = { ...to(wire, refuses ? nowhere : primary.url), ...target }
  const config =
    fallback === undefined
      ? { ...first, ...common }
      : { ...common, strategy: { mode: 'fallback', ...strategy }, targets: [first, to(fallback, secondary.url)] }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-config': JSON.stringify(config) },
    body: JSON.stringify({ model: 'any', messages: [QUESTION], stream, max_tokens: 50, ...body }),
  })
  const text = await response.text()
  const id = response.headers.get('x-gateway-request-id')
  return {
    status: response.status,
    headers: response.headers,
    text,
    record: await gateway.record((record) => record.id === id),
    primary: primary.requests.slice(before[0]),
    secondary: secondary.requests.slice(before[1]),
  }
}

const QUESTION = { role: 'user', content: 'Say it.' }

const to = ({ provider, model }: Wire, url: string): Record<string, unknown> => ({
  provider,
  api_key: 'sk-fault-0123456789',
  custom_host: `${url}/v1`,
  override_params: { model },
})

/** The body that a provider shall get. */
export const expectedBody = ({ provider, model }: Wire, stream: boolean): Record<string, unknown> => ({
  model,
  messages:
    provider === 'openai' ? [QUESTION] : [{ role: 'user', content: [{ type: 'text', text: QUESTION.content }] }],
  stream,
  max_tokens: 50,
  ...(provider === 'openai' && stream ? { stream_options: { include_usage: true } } : {}),
})
