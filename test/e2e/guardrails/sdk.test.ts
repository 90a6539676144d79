import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { API_KEY } from '../../support/gateway.ts'
import { CARD, streamChecks } from './support/stream-checks.ts'
import { type GuardedWorld, guardedWorld, guardrail } from './support/world.ts'

const LONG = 'All of this is said one word after the other. '.repeat(20)

let world: GuardedWorld
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  world = await guardedWorld(streamChecks)
  const defaultHeaders = { 'x-gateway-provider': 'acme' }
  openai = new OpenAI({ baseURL: `${world.running.url}/v1`, apiKey: API_KEY, maxRetries: 0, defaultHeaders })
  anthropic = new Anthropic({ baseURL: world.running.url, apiKey: API_KEY, maxRetries: 0, defaultHeaders })
})
afterAll(() => world.close())

const redact = (): void =>
  world.hold({
    slug: 'pg-out',
    on: 'output',
    definition: guardrail([{ id: 'test.redactsCards' }], { stream_mode: 'window' }),
  })
const deny = (): void =>
  world.hold({
    slug: 'pg-out',
    on: 'output',
    definition: guardrail([{ id: 'test.forbids', parameters: { word: 'secret' } }], {
      stream_mode: 'window',
      deny: true,
    }),
  })

/** Everything that a stream gives, and what it throws. */
const all = async <Event>(
  stream: AsyncIterable<Event>,
): Promise<{ readonly events: readonly Event[]; readonly thrown: unknown }> => {
  const events: Event[] = []
  try {
    for await (const event of stream) events.push(event)
  } catch (thrown) {
    return { events, thrown }
  }
  return { events, thrown: undefined }
}

// The size of the events that the provider writes.
describe.each([1, 7, 100_000])('in pieces of %d bytes', (chunkBytes) => {
  const mock = `mock:chunk=${chunkBytes}`

  describe('the openai client', () => {
    const ask = (content: string) =>
      openai.chat.completions.create({ model: mock, stream: true, messages: [{ role: 'user', content }] })

    test('gets what a guardrail changes in a stream', async () => {
      redact()
      const { events, thrown } = await all(await ask(`${LONG}My card is ${CARD}. ${LONG}`))
      expect(thrown).toBeUndefined()
      const text = events.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')
      expect(text).toBe(`Mock answer to: ${LONG}My card is [CARD]. ${LONG}`)
    })

    test('raises what a guardrail refuses, behind the finish reason', async () => {
      deny()
      const { events, thrown } = await all(await ask(`${LONG}a secret. ${LONG}`))
      expect(events.at(-1)?.choices[0]?.finish_reason).toBe('content_filter')
      expect(events.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).not.toContain('secret')
      expect(thrown).toBeInstanceOf(OpenAI.APIError)
      expect(thrown).toMatchObject({ type: 'hooks_failed' })
      const refused: unknown = await ask('a secret').catch((error: unknown) => error)
      expect(refused).toMatchObject({ status: 446, type: 'hooks_failed' })
    })
  })

  describe('the anthropic client', () => {
    const ask = (content: string) =>
      anthropic.messages.create({ model: mock, max_tokens: 1_000, stream: true, messages: [{ role: 'user', content }] })
    const textOf = (events: readonly Anthropic.RawMessageStreamEvent[]): string =>
      events
        .map((event) =>
          event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
        )
        .join('')

    test('gets what a guardrail changes in a stream', async () => {
      redact()
      const { events, thrown } = await all(await ask(`${LONG}My card is ${CARD}. ${LONG}`))
      expect(thrown).toBeUndefined()
      expect(textOf(events)).toBe(`Mock answer to: ${LONG}My card is [CARD]. ${LONG}`)
      expect(events.at(-1)?.type).toBe('message_stop')
    })

    test('raises what a guardrail refuses, behind the stop reason', async () => {
      deny()
      const { events, thrown } = await all(await ask(`${LONG}a secret. ${LONG}`))
      expect(textOf(events)).not.toContain('secret')
      const types = events.map(({ type }) => type)
      expect(types.filter((type) => type === 'content_block_stop')).toHaveLength(1)
      expect(events.find((event) => event.type === 'message_delta')?.delta.stop_reason).toBe('refusal')
      expect(thrown).toBeInstanceOf(Anthropic.APIError)
    })
  })
})
