import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { API_KEY } from '../../support/gateway.ts'
import { CARD, streamChecks } from './support/stream-checks.ts'
import { type GuardedWorld, guardedWorld, guardrail } from './support/world.ts'

const LONG = 'All of this is said one word after the other. '.repeat(20)
let world: GuardedWorld
let openai: OpenAI

beforeAll(async () => {
  world = await guardedWorld(streamChecks)
  openai = new OpenAI({
    baseURL: `${world.running.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': 'acme' },
  })
})
afterAll(() => world.close())

test('a Response says again what went out, not what was said', async () => {
  world.hold({
    slug: 'pg-out',
    on: 'output',
    definition: guardrail([{ id: 'test.redactsCards' }], { stream_mode: 'window' }),
  })
  let text = ''
  let done = ''
  let completed = ''
  for await (const event of await openai.responses.create({
    model: 'mock',
    stream: true,
    input: `${LONG}${CARD}. ${LONG}`,
  })) {
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.output_text.done') done = event.text
    if (event.type === 'response.completed') completed = JSON.stringify(event.response)
  }
  expect(text).toBe(`Mock answer to: ${LONG}[CARD]. ${LONG}`)
  expect(done).toBe(text)
  expect(completed).toContain('[CARD]')
  expect(completed).not.toContain('4111')
})

test('a Response that is refused fails', async () => {
  world.hold({
    slug: 'pg-out',
    on: 'output',
    definition: guardrail([{ id: 'test.forbids', parameters: { word: 'secret' } }], {
      stream_mode: 'window',
      deny: true,
    }),
  })
  const types: string[] = []
  let thrown: unknown
  try {
    for await (const event of await openai.responses.create({
      model: 'mock',
      stream: true,
      input: `${LONG}a secret. ${LONG}`,
    })) {
      types.push(event.type)
      expect(JSON.stringify(event)).not.toContain('secret')
    }
  } catch (error) {
    thrown = error
  }
  expect(types).not.toContain('response.completed')
  expect([types.at(-1), thrown !== undefined]).toEqual(['response.incomplete', true])
})

test('a stream of Gemini is changed as well', async () => {
  world.hold({
    slug: 'pg-out',
    on: 'output',
    definition: guardrail([{ id: 'test.redactsCards' }], { stream_mode: 'window' }),
  })
  for (const alt of ['?alt=sse', '']) {
    const response = await fetch(`${world.running.url}/v1beta/models/mock:streamGenerateContent${alt}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'acme' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: `${LONG}${CARD}. ${LONG}` }] }] }),
    })
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('[CARD]')
    expect(text).not.toContain('1111')
  }
})
