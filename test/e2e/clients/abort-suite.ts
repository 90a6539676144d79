import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { eventually } from '../../support/start-process.ts'
import type { Door } from './support/door.ts'
import { failureOf, providerClient } from './support/openai-client.ts'

/** The issue asks for one second; a busy machine gets more. */
const GONE_WITHIN_MS = 5_000

/** A client that leaves takes its provider call with it. */
export const abortSuite = (door: () => Door): void => {
  describe('a client that leaves', () => {
    let upstream: MockServer
    beforeAll(async () => {
      upstream = await startMockServer()
    })
    afterAll(() => upstream.close())

    const client = (): OpenAI => providerClient(door(), 'openai', `${upstream.url}/v1`)
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const aborted = async (before: number): Promise<boolean> =>
      eventually(async () => upstream.counters.aborted > before && upstream.counters.open === 0, GONE_WITHIN_MS)

    test('before the answer ends the provider call', async () => {
      const before = upstream.counters
      const [received, gone] = [before.received, before.aborted]
      const abort = new AbortController()
      const call = client().chat.completions.create(
        { model: 'mock:fault=never-answer', messages },
        { signal: abort.signal },
      )
      const failure = failureOf(call)
      expect(await eventually(async () => upstream.counters.received > received, GONE_WITHIN_MS)).toBe(true)
      abort.abort()
      expect(await failure).toBeInstanceOf(OpenAI.APIUserAbortError)
      expect(await aborted(gone)).toBe(true)
    })

    test('in the middle of a stream ends the provider call', async () => {
      const gone = upstream.counters.aborted
      const stream = await client().chat.completions.create({
        model: 'mock:tokens=100000,interval=5',
        messages,
        stream: true,
      })
      let pieces = 0
      for await (const _chunk of stream) if (++pieces === 3) break
      expect(pieces).toBe(3)
      expect(await aborted(gone)).toBe(true)
    })

    test('by dropping the answer, without a signal, ends the provider call', async () => {
      const gone = upstream.counters.aborted
      const { body } = await door().fetch(`${door().url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${door().apiKey}`,
          'x-gateway-provider': 'ollama',
          'x-gateway-custom-host': `${upstream.url}/v1`,
        },
        body: JSON.stringify({ model: 'mock:tokens=100000,interval=5', messages, stream: true }),
      })
      const reader = body?.getReader()
      expect((await reader?.read())?.done).toBe(false)
      await reader?.cancel()
      expect(await aborted(gone)).toBe(true)
    })
  })
}
