import { heapStats } from 'bun:jsc'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { LATER, type Taken } from '#core/bodies/ready-stream'
import { HeaderList } from '#core/header-fields'
import { definePlugin, isReadyStream, type ReadyStream, t } from '#kit'
import { API_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts'

/** Far more than the few promises that a stream costs as a whole. */
const EVENTS = 1_000

const eventOf = (body: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(body)}\n\n`
const words = Array.from({ length: EVENTS }, (_, index) => `word ${index} `)

/** Events of a provider: those up to the first text, the others, the last ones. */
type Events = readonly [opening: string, ...others: readonly string[]]

const chunkOf = (delta: object, finish: string | null = null): string =>
  eventOf({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
const OPENAI: Events = [
  chunkOf({ role: 'assistant', content: 'So: ' }),
  ...words.map((content) => chunkOf({ content })),
  chunkOf({}, 'stop'),
  'data: [DONE]\n\n',
]
const claude = (type: string, body: object): string => eventOf({ type, ...body }, type)
const deltaOf = (text: string): string =>
  claude('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
const ANTHROPIC: Events = [
  claude('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } }) +
    claude('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    deltaOf('So: '),
  ...words.map(deltaOf),
  claude('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: EVENTS } }),
  claude('message_stop', {}),
]

/** The body of a provider's answer: its first event is here, the others come with one read of the network. */
class Source implements ReadyStream {
  readonly #events: readonly (Uint8Array | undefined)[]
  #at = 0
  #here: number
  #listener: (() => void) | undefined

  constructor(events: Events, here: number) {
    this.#events = [...events.map((event) => Buffer.from(event)), undefined]
    this.#here = here
  }

  take(): Taken {
    return this.#at === this.#here ? LATER : this.#events[this.#at++]
  }
  whenReady(listener: () => void): void {
    this.#listener = listener
  }
  cancel(): void {
    this.#here = this.#at
  }

  comeAll(): void {
    this.#here = this.#events.length
    this.#listener?.()
  }
}

let events: Events
let source: Source
/** Whether all events are here before the answer begins. */
let isWhole: boolean
/** What the chain makes of them. */
let taken: { readonly inOneGo: number; readonly isOver: boolean; readonly promises: number } | undefined

/** Answers in place of the provider. */
const answering = definePlugin({
  name: 'answering',
  config: t.Object({}),
  placement: { before: 'provider-call' },
  setup: () => ({
    stages: [
      {
        name: 'answering',
        async run(call) {
          call.markProviderReached()
          source = new Source(events, isWhole ? events.length + 1 : 1)
          const headers = new HeaderList()
          headers.set('content-type', 'text/event-stream')
          return { status: 200, headers, body: source }
        },
      },
    ],
  }),
})

/** Takes the answer in place of the client: all that is here at once. */
const taking = definePlugin({
  name: 'taking',
  config: t.Object({}),
  placement: { before: 'route' },
  setup: () => ({
    stages: [
      {
        name: 'taking',
        async run(_call, next) {
          const answer = await next()
          if (!isReadyStream(answer.body)) throw new Error('no stream')
          taken = takeAll(answer.body)
          return { ...answer, body: new Uint8Array(0) }
        },
      },
    ],
  }),
})

const promisesMade = (): number => heapStats().objectTypeCounts.Promise ?? 0

const takeAll = (stream: ReadyStream): typeof taken => {
  const drain = (): number => {
    for (let count = 0; ; count++) {
      const piece = stream.take()
      if (piece === LATER) return count
      if (piece === undefined) {
        isOver = true
        return count
      }
    }
  }
  let isOver = false
  let inOneGo = drain()
  const before = promisesMade()
  if (!isOver) stream.whenReady(() => undefined)
  source.comeAll()
  if (!isOver) inOneGo = drain()
  return { inOneGo, isOver, promises: promisesMade() - before }
}

let gateway: TestGateway
beforeAll(async () => {
  const keys = [{ openai: { apiKey: 'sk-openai' } }, { anthropic: { apiKey: 'sk-anthropic' } }]
  const plugins = ['defaults', 'mock', ...keys, 'answering', 'taking']
  gateway = await startTestGateway({ config: { plugins }, plugins: [answering, taking] })
})
afterAll(() => gateway.close())
beforeEach(() => {
  isWhole = false
  taken = undefined
})

const guarded = (provider: string, recovery: string): object => ({
  strategy: { mode: 'fallback', stream_recovery: recovery, cb_config: { failure_threshold: 5 } },
  cache: { mode: 'simple' },
  targets: [{ provider }, { provider: 'mock' }],
})

const chat = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi.' }] }
const text = { model: 'm', stream: true, prompt: 'Hi.' }

test.each<[what: string, path: string, body: object, config: object, events: Events]>([
  ['that passes through', '/v1/chat/completions', chat, guarded('openai', 'continue'), OPENAI],
  ['that is translated', '/v1/chat/completions', chat, guarded('anthropic', 'continue'), ANTHROPIC],
  ['that is asked for as a text', '/v1/completions', text, guarded('anthropic', 'restart'), ANTHROPIC],
  ['that begins anew when it breaks', '/v1/chat/completions', chat, guarded('openai', 'restart'), OPENAI],
  ['in the form of its provider', '/v1/proxy/messages', chat, { provider: 'anthropic' }, ANTHROPIC],
])(
  'the events of a stream %s come through all stages with no wait for any of them',
  async (what, path, body, config, sent) => {
    events = sent
    isWhole = JSON.stringify(config).includes('restart')
    const response = await gateway.gateway.handle(
      new Request(`http://weir.test${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${API_KEY}`,
          'content-type': 'application/json',
          'x-gateway-config': JSON.stringify(config),
        },
        body: JSON.stringify({ ...body, user: what }),
      }),
    )
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(taken?.isOver).toBe(true)
    expect(taken?.inOneGo).toBeGreaterThanOrEqual(EVENTS)
    expect(taken?.promises).toBeLessThan(EVENTS / 50)
  },
)
