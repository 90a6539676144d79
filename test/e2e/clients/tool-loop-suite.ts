import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { jsonPlan, ssePlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import type { Door } from './support/door.ts'
import { PROVIDER_KEY } from './support/openai-client.ts'
import { loadWireFixtures } from './support/wire-upstream.ts'

/** For each provider: a model, the recorded calls of tools, and what only the turn after them holds. */
const LOOPS = [
  {
    provider: 'anthropic',
    model: 'claude-opus-5-5',
    calls: ['tool-calls', 'stream-tool-calls'],
    texts: ['plain-text', 'stream-text'],
    results: '"tool_result"',
  },
  {
    provider: 'google',
    model: 'gemini-3.8-flash',
    calls: ['tools-parallel', 'stream-tools'],
    texts: ['plain-text', 'stream-text'],
    results: '"functionResponse"',
  },
] as const

/** The loop of the `ai` package, which goes on while the finish reason says that tools were called. */
export const toolLoopSuite = (door: () => Door): void => {
  let upstream: MockServer
  beforeAll(async () => {
    upstream = await startMockServer({
      answer: ({ path }, body) => {
        const loop = LOOPS.find(({ provider }) => path.startsWith(`/${provider}/`))
        if (loop === undefined) return undefined
        const text = new TextDecoder().decode(body)
        const isStream = text.includes('"stream":true') || path.includes('streamGenerateContent')
        const names = text.includes(loop.results) ? loop.texts : loop.calls
        const fixture = loadWireFixtures(loop.provider).get(names[isStream ? 1 : 0])
        return isStream ? ssePlan([fixture?.stream ?? '']) : jsonPlan(200, fixture?.answer)
      },
    })
  })
  afterAll(() => upstream.close())

  describe('a tool loop of the ai package', () => {
    const kinds = LOOPS.flatMap((loop) =>
      ['true', 'false'].flatMap((strict) => [false, true].map((streamed) => [loop, strict, streamed] as const)),
    )
    test.each(kinds)('goes on after the calls: %o, strict compliance %s, streamed %s', async (...kind) => {
      const [{ provider, model }, strict, streamed] = kind
      const client = createOpenAICompatible({
        name: 'weir',
        baseURL: `${door().url}/v1`,
        apiKey: PROVIDER_KEY,
        headers: {
          'x-gateway-api-key': door().apiKey,
          'x-gateway-provider': provider,
          'x-gateway-custom-host': `${upstream.url}/${provider}`,
          'x-gateway-strict-open-ai-compliance': strict,
        },
      })
      const called: string[] = []
      const named = (name: string) =>
        tool({
          inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
          execute: () => called.push(name) && 'fine',
        })
      const request = {
        model: client(model),
        prompt: 'Weather in Paris and the time?',
        tools: { get_weather: named('get_weather'), get_time: named('get_time') },
        stopWhen: isStepCount(3),
      }
      const result = streamed ? streamText(request) : await generateText(request)
      const steps = await result.steps
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
      expect(called.length).toBeGreaterThan(0)
      expect((await result.text).length).toBeGreaterThan(0)
    })
  })
}
