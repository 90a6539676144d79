/** Cents of a token, as the operator's file has them. */
const INPUT_CENTS = 0.001
const OUTPUT_CENTS = 0.005
/** The same in 10⁻¹² dollars. */
const INPUT = 10_000_000
const OUTPUT = 50_000_000

/** What the provider counts of every request. */
export const INPUT_TOKENS = 10
/** Ten tokens at least, however they are estimated. */
const WORDS = 'Tell me in a few words what a budget is, and who should have one. '.repeat(2)
export const MODEL = 'priced-model'

/** The operator's price file. */
export const PRICES: string = JSON.stringify({
  openai: {
    [MODEL]: {
      pay_as_you_go: { request_token: { price: INPUT_CENTS }, response_token: { price: OUTPUT_CENTS } },
    },
  },
})

/** What an answer of so many tokens costs, in 10⁻¹² dollars. */
export const costOf = (outputTokens: number): bigint => BigInt(INPUT_TOKENS * INPUT + outputTokens * OUTPUT)

/** A request whose answer has exactly so many tokens. */
export const chatFor = (
  outputTokens: number,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  model: MODEL,
  max_tokens: outputTokens,
  messages: [{ role: 'user', content: WORDS }],
  ...more,
})

/** Stands for OpenAI over a socket: its answers have as many tokens as were asked for, and it adds up what they cost. */
export interface PricedProvider {
  readonly url: string
  /** Milliseconds before each answer. */
  latencyMs: number
  /** Requests that have arrived. */
  readonly asked: number
  readonly answered: number
  /** Of what was answered, 10⁻¹² dollars. */
  readonly billed: bigint
  close(): Promise<void>
}

interface Asked {
  readonly max_tokens?: number
  readonly stream?: boolean
}

export const startPricedProvider = (): PricedProvider => {
  const state = { latencyMs: 0, asked: 0, answered: 0, billed: 0n }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      state.asked++
      const { max_tokens: tokens = 1, stream = false } = (await request.json()) as Asked
      if (state.latencyMs > 0) await Bun.sleep(state.latencyMs)
      state.answered++
      state.billed += costOf(tokens)
      return stream ? streamOf(tokens) : answerOf(tokens)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    get latencyMs() {
      return state.latencyMs
    },
    set latencyMs(ms) {
      state.latencyMs = ms
    },
    get asked() {
      return state.asked
    },
    get answered() {
      return state.answered
    },
    get billed() {
      return state.billed
    },
    close: () => server.stop(true),
  }
}

const usageOf = (tokens: number) => ({
  prompt_tokens: INPUT_TOKENS,
  completion_tokens: tokens,
  total_tokens: INPUT_TOKENS + tokens,
})

const answerOf = (tokens: number): Response =>
  Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Enough.' }, finish_reason: 'stop' }],
    usage: usageOf(tokens),
  })

const streamOf = (tokens: number): Response => {
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: MODEL, ...rest })}\n\n`
  const text =
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Enough.' }, finish_reason: 'stop' }] }) +
    chunk({ choices: [], usage: usageOf(tokens) }) +
    'data: [DONE]\n\n'
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}
