import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import OpenAI from 'openai'
import type { RunningGateway } from '../../support/command.ts'
import { type Reply, send, textOf, within } from '../management/support/http.ts'
import { ADMIN_KEY, API_KEY, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** A test number of a card scheme, as its documents print it. */
const CARD = '4111 1111 1111 1111'
/** Longer than anything that is held back for a card number. */
const BEFORE =
  'Sure, I can tell you. You asked which card it is that was taken for the last order of this year. '.repeat(4)
const AFTER = ', it is valid. Anything else? I am glad to help with whatever it is that you want to know of it.'
const ANSWER = `${BEFORE}It is ${CARD}${AFTER}`

/** A check of 20 lines, as an operator would write it. */
const OWN_CHECK = `import { defineCheck, definePlugin, t } from 'weir/kit'

const noCards = defineCheck({
  id: 'acme.noCards',
  summary: 'Passes unless a text has sixteen digits in groups of four.',
  parameters: t.Object({ redact: t.Boolean({ default: false }) }),
  stages: ['input', 'output'],
  prepare: ({ redact }) => ({
    reach: 19,
    run({ texts }) {
      const after = texts.map((text) => text.replaceAll(/\\d{4} \\d{4} \\d{4} \\d{4}/g, '[CARD]'))
      const found = after.some((text, index) => text !== texts[index])
      return redact ? { verdict: true, texts: after } : { verdict: !found }
    },
  }),
})

export default definePlugin({ name: 'acme-checks', config: t.Object({}), setup: () => ({ checks: [noCards] }) })
`

let scene: Scene
let gateway: RunningGateway
/** Opens once the client of a gated stream has its beginning. */
let gate = Promise.withResolvers<void>()
/** Bodies that the provider got. */
const asked: { model: string; messages: { content: string }[] }[] = []
let upstream: ReturnType<typeof startUpstream>

/** A provider that says the answer above in pieces: the model names how long they are (`pieces-3`); `clean` says nothing of a card. */
const startUpstream = () =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as { model: string; stream?: boolean; messages: { content: string }[] }
      asked.push(body)
      const text = body.model === 'clean' ? 'I cannot say that.' : ANSWER
      const head = { id: 'chatcmpl-1', created: 1, model: body.model }
      if (body.stream !== true) {
        const message = { role: 'assistant', content: text }
        return Response.json({
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: 20, total_tokens: 25 },
        })
      }
      const size = Number(body.model.split('-')[1] ?? text.length)
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      const chunk = (delta: object, finish: string | null): string =>
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      const events = [
        chunk({ role: 'assistant', content: '' }, null),
        ...pieces.map((content) => chunk({ content }, null)),
        chunk({}, 'stop'),
        'data: [DONE]\n\n',
      ]
      const isGated = body.model.endsWith('-gated')
      async function* slowly() {
        const said = Math.ceil(BEFORE.length / size) + 1
        yield events.slice(0, said).join('')
        // The client has the beginning before the rest is said.
        if (isGated) await gate.promise
        yield events.slice(said).join('')
      }
      return new Response(slowly(), { headers: { 'content-type': 'text/event-stream' } })
    },
  })

beforeAll(async () => {
  upstream = startUpstream()
  scene = await openScene({ store: 'pglite' })
  await Bun.write(join(scene.folder, 'checks.ts'), OWN_CHECK)
  await Bun.write(
    join(scene.folder, 'weir.config.yaml'),
    `server: { drainDelayMs: 0 }\nplugins:\n  - defaults\n  - mock\n  - openai: { baseURL: "http://127.0.0.1:${upstream.port}/v1" }\n  - ./checks.ts\n`,
  )
  gateway = await scene.start()
})
afterAll(async () => {
  await scene.close()
  await upstream.stop(true)
})
beforeEach(() => {
  asked.length = 0
})

const make = async (check: object, actions: object): Promise<string> => {
  const reply = await done(gateway, 'POST', '/v2/guardrails', {
    name: `guardrail ${crypto.randomUUID()}`,
    checks: [check],
    actions: { deny: false, async: false, ...FEEDBACK, ...actions },
  })
  return textOf(reply, 'slug')
}

const FEEDBACK = {
  on_success: { feedback: { value: 5, weight: 1, metadata: '' } },
  on_fail: { feedback: { value: -5, weight: 1, metadata: '' } },
}

const post = (config: object, content: string, more: object = {}): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'x-gateway-config': JSON.stringify({ provider: 'openai', api_key: 'sk-test', ...config }),
    },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], ...more }),
  })

const ask = async (...call: Parameters<typeof post>): Promise<Reply> => {
  const response = await post(...call)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Once every process knows the guardrail. */
const askKnown = async (...call: Parameters<typeof ask>): Promise<Reply> => {
  let reply: Reply | undefined
  await within(
    SPREAD_MS * 10,
    async () => {
      reply = await ask(...call)
      return reply
    },
    ({ status }) => status !== 400,
  )
  if (reply === undefined) throw new Error('nothing was answered')
  return reply
}

const PII = { id: 'gateway.pii', parameters: { categories: ['CREDIT_CARD'] } }
const PII_REDACT = { id: 'gateway.pii', parameters: { categories: ['CREDIT_CARD'], redact: true } }
const OWN = { id: 'acme.noCards', parameters: {} }
const OWN_REDACT = { id: 'acme.noCards', parameters: { redact: true } }

describe.each([
  ['the built-in check', PII, PII_REDACT],
  ["a check of one's own", OWN, OWN_REDACT],
])('%s', (_name, denies, redacts) => {
  test('stops a prompt with a card number: 446, and the provider is not called', async () => {
    const slug = await make(denies, { deny: true })
    const reply = await askKnown({ input_guardrails: [slug] }, `pay with ${CARD}`)
    expect(reply.status).toBe(446)
    expect(reply.body).toMatchObject({
      error: { type: 'hooks_failed', param: null, code: null },
      hook_results: {
        before_request_hooks: [{ verdict: false, deny: true, checks: [{ id: denies.id, verdict: false }] }],
      },
    })
    expect(asked).toHaveLength(0)
    expect((await ask({ input_guardrails: [slug] }, 'pay with cash')).status).toBe(200)
  })

  test('redacts one in a stream, whatever the pieces', async () => {
    const slug = await make(redacts, { stream_mode: 'window', stream_window: 40 })
    await askKnown({ output_guardrails: [slug] }, 'hello')
    for (const size of [1, 2, 3, 5, 7, 11, 19, 30, 60, ANSWER.length]) {
      const client = new OpenAI({
        baseURL: `${gateway.url}/v1`,
        apiKey: API_KEY,
        defaultHeaders: {
          'x-gateway-config': JSON.stringify({ provider: 'openai', api_key: 'sk-test', output_guardrails: [slug] }),
        },
      })
      const stream = await client.chat.completions.create({
        model: `pieces-${size}`,
        messages: [{ role: 'user', content: 'which card?' }],
        stream: true,
      })
      let text = ''
      let finish: string | null = null
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? ''
        finish = choices[0]?.finish_reason ?? finish
      }
      expect(text).not.toMatch(/\d{4}/)
      expect(text.startsWith(`${BEFORE}It is `) && text.endsWith(AFTER)).toBe(true)
      expect(finish).toBe('stop')
    }
  })

  test('ends a stream that says one', async () => {
    const slug = await make(denies, { deny: true, stream_mode: 'window', stream_window: 40 })
    await askKnown({ output_guardrails: [slug] }, 'hello')
    for (const size of [1, 3, 7, 19]) {
      gate = Promise.withResolvers<void>()
      const response = await post({ output_guardrails: [slug] }, 'which card?', {
        stream: true,
        model: `pieces-${size}-gated`,
      })
      expect(response.status).toBe(200)
      let text = ''
      for await (const piece of response.body ?? []) {
        text += new TextDecoder().decode(piece)
        gate.resolve()
      }
      expect(text).toContain('"content":"S')
      expect(text).not.toContain('4111 1')
      expect(text).toContain('"finish_reason":"content_filter"')
      expect(text).toContain('hooks_failed')
      expect(text).not.toContain('"finish_reason":"stop"')
    }
  })

  test('falls back to another model on 446, and stands in the record with its times', async () => {
    const slug = await make(denies, { deny: true })
    const config = {
      output_guardrails: [slug],
      strategy: { mode: 'fallback', on_status_codes: [446] },
      targets: [{ override_params: { model: 'bold' } }, { override_params: { model: 'clean' } }],
    }
    const reply = await askKnown(config, 'which card?')
    expect(reply.status).toBe(200)
    expect(asked.slice(-2).map(({ model }) => model)).toEqual(['bold', 'clean'])
    const trace = reply.headers.get('x-gateway-trace-id') ?? ''
    let id = ''
    await within(
      SPREAD_MS * 10,
      () => send(`${gateway.url}/v1/logs?trace_id=${trace}`, { token: ADMIN_KEY }),
      ({ body }) => {
        const [found] = Array.isArray(body.data) ? body.data : []
        id = found?.id ?? ''
        return id !== ''
      },
    )
    const { body } = await send(`${gateway.url}/v1/logs/${id}`, { token: ADMIN_KEY })
    const results = (body.data ?? body) as Record<string, unknown>
    expect(results.hook_results).toMatchObject({
      after_request_hooks: [{ verdict: true, checks: [{ id: denies.id, execution_time: expect.any(Number) }] }],
    })
  })
})
