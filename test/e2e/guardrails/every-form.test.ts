import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PROMPT } from '../../support/route-samples.ts'
import { CARD, streamChecks } from './support/stream-checks.ts'
import { type GuardedWorld, guardedWorld, guardrail, type Reply } from './support/world.ts'

type Fields = Readonly<Record<string, unknown>>

/** A way in that leads to a model. */
interface Way {
  readonly path: string
  readonly body: (text: string) => Fields
  /** Path of its streams, where they have their own. Absent: streams are asked for by the body. */
  readonly streams?: string
  /** What a stream says that was refused on its way; absent for a way without streams. */
  readonly withheld?: string
  /** It answers with vectors. */
  readonly isMute?: true
}

const chat = (content: string): Fields => ({ model: 'mock', messages: [{ role: 'user', content }] })
const completion = (prompt: string): Fields => ({ model: 'mock', prompt })
const embedding = (input: string): Fields => ({ model: 'mock-embedding', input: [input] })
const contents = (text: string): Fields => ({ contents: [{ role: 'user', parts: [{ text }] }] })
const variables = (name: string): Fields => ({ variables: { name }, model: 'mock' })
const of2023 =
  (params: (text: string) => Fields) =>
  (text: string): Fields => ({ config: { provider: 'acme' }, params: params(text) })

const FILTERED = '"finish_reason":"content_filter"'

const WAYS: Readonly<Record<string, Way>> = {
  'chat completions': { path: '/v1/chat/completions', body: chat, withheld: FILTERED },
  completions: { path: '/v1/completions', body: completion, withheld: FILTERED },
  embeddings: { path: '/v1/embeddings', body: embedding, isMute: true },
  messages: {
    path: '/v1/messages',
    body: (text) => ({ ...chat(text), max_tokens: 10_000 }),
    withheld: '"stop_reason":"refusal"',
  },
  responses: {
    path: '/v1/responses',
    body: (input) => ({ model: 'mock', input }),
    withheld: '"incomplete_details":{"reason":"content_filter"}',
  },
  'the Gemini API': {
    path: '/v1beta/models/mock:generateContent',
    body: contents,
    streams: '/v1beta/models/mock:streamGenerateContent?alt=sse',
    withheld: '"finishReason":"SAFETY"',
  },
  'the Gemini API, as an array': {
    path: '/v1beta/models/mock:generateContent',
    body: contents,
    streams: '/v1beta/models/mock:streamGenerateContent',
    withheld: '"finishReason":"SAFETY"',
  },
  'embeddings of the Gemini API': {
    path: '/v1beta/models/mock-embedding:embedContent',
    body: (text) => ({ content: { parts: [{ text }] } }),
    isMute: true,
  },
  'a stored prompt': { path: `/v1/prompts/${PROMPT}/completions`, body: variables, withheld: FILTERED },
  'a stored prompt of 2023': { path: `/v1/prompts/${PROMPT}/generate`, body: variables },
  'chats of 2023': { path: '/v1/chatComplete', body: of2023(chat) },
  'completions of 2023': { path: '/v1/complete', body: of2023(completion) },
  'embeddings of 2023': { path: '/v1/embed', body: of2023(embedding), isMute: true },
}

const LONG = 'All of this is said one word after the other. '.repeat(20)
const SECRET = { id: 'test.forbids', parameters: { word: 'secret' } }

let world: GuardedWorld

beforeAll(async () => {
  world = await guardedWorld(streamChecks)
})
afterAll(() => world.close())

const hold = (on: 'input' | 'output', ...[checks, more]: Parameters<typeof guardrail>): void =>
  world.hold({ slug: 'pg', on, definition: guardrail(checks, { stream_mode: 'window', ...more }) })

const ask = ({ path, body }: Way, text: string): Promise<Reply> => world.post(path, body(text))

const stream = ({ path, body, streams }: Way, text: string): Promise<Reply> =>
  world.post(streams ?? path, streams === undefined ? { ...body(text), stream: true } : body(text))

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('has what it asks changed', async () => {
    hold('input', [{ id: 'test.redactsCards' }])
    const reply = await ask(way, `My card is ${CARD}.`)
    expect(reply.status).toBe(200)
    expect(world.asked()).toHaveLength(1)
    expect(world.asked()[0]).toContain('My card is [CARD].')
    expect(world.asked()[0]).not.toContain('1111')
  })

  test('has what it asks refused, and no provider is called', async () => {
    hold('input', [SECRET], { deny: true })
    const reply = await ask(way, 'a secret')
    expect([reply.status, world.asked()]).toEqual([446, []])
    expect(reply.body.hook_results).toMatchObject({ before_request_hooks: [{ verdict: false }] })
    expect((await ask(way, 'a fact')).status).toBe(200)
  })

  if (way.isMute) return

  test('has what is answered changed, and refused', async () => {
    hold('output', [{ id: 'test.redactsCards' }])
    const changed = await ask(way, `My card is ${CARD}.`)
    expect(changed.status).toBe(200)
    expect(changed.text).toContain('My card is [CARD].')
    expect(changed.text).not.toContain('1111')
    hold('output', [SECRET], { deny: true })
    expect((await ask(way, 'a secret')).status).toBe(446)
  })

  test('is refused softly with an answer of its own', async () => {
    hold('input', [SECRET], { deny: true, soft_deny_200: true })
    const plain = await ask(way, 'a fact')
    const reply = await ask(way, 'a secret')
    expect([reply.status, world.asked().length]).toEqual([200, 1])
    const [first = ''] = Object.keys(reply.body)
    expect(Object.keys(plain.body)).toContain(first)
    expect([reply.body.error ?? null, reply.text.includes('secret')]).toEqual([null, false])
  })

  const { withheld } = way
  if (withheld === undefined) return

  test('has a stream changed, in each place that says it', async () => {
    hold('output', [{ id: 'test.redactsCards' }])
    const reply = await stream(way, `${LONG}My card is ${CARD}, you know. ${LONG}`)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('[CARD]')
    expect(reply.text).not.toContain('1111')
    expect(reply.text).not.toContain(withheld)
  })

  test('has a stream withheld with the word of its form, and told why', async () => {
    hold('output', [SECRET], { deny: true })
    const reply = await stream(way, `${LONG}${LONG}a secret. ${LONG}`)
    expect(reply.status).toBe(200)
    expect(reply.text).not.toContain('secret')
    expect(reply.text.split(withheld)).toHaveLength(2)
    const told = reply.text.indexOf('error', reply.text.indexOf(withheld))
    expect(told).toBeGreaterThan(0)
    expect(reply.text.slice(told)).toContain('"hook_results"')
  })
})
