import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { aiSdkClient } from './support/clients/ai-sdk.ts'
import { chatClient } from './support/clients/chat.ts'
import type { DialectClient, Got, Question } from './support/clients/client.ts'
import { geminiClient } from './support/clients/gemini.ts'
import { messagesClient } from './support/clients/messages.ts'
import { responsesClient } from './support/clients/responses.ts'
import { AT_CLOUDS, type DialectScene, MAKERS, type Maker, openDialectScene } from './support/scene.ts'
import { SCENES, type SceneName, USAGE, wholeText } from './support/scenes.ts'

const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
}

let opened: DialectScene
let upstream: DialectScene['upstream']
let gateway: DialectScene['gateway']
beforeAll(async () => {
  opened = await openDialectScene()
  upstream = opened.upstream
  gateway = opened.gateway
})
afterAll(() => opened.close())

interface Dialect {
  readonly name: string
  readonly open: (url: string, key: string) => DialectClient
  /** OpenAI's Responses show what the model thinks. */
  readonly showsOf?: (maker: Maker) => boolean
  /** It has no field for sequences to stop at. */
  readonly withoutStop?: true
  /** Made by somebody else than the maker of the form. */
  readonly isThird?: true
}

const DIALECTS: readonly Dialect[] = [
  { name: 'chat', open: chatClient },
  { name: 'responses', open: responsesClient, showsOf: ({ id, shows }) => shows || id === 'openai', withoutStop: true },
  { name: 'messages', open: messagesClient },
  { name: 'gemini', open: geminiClient },
  {
    name: "the AI SDK's OpenAI",
    open: aiSdkClient('openai'),
    isThird: true,
    showsOf: ({ id, shows }) => shows || id === 'openai',
    withoutStop: true,
  },
  { name: "the AI SDK's Anthropic", open: aiSdkClient('anthropic'), isThird: true },
  { name: "the AI SDK's Google", open: aiSdkClient('google'), isThird: true },
]

const asking = (scene: SceneName): string => `Please. [scene:${scene}]`

for (const { name, open, showsOf = ({ shows }: Maker) => shows, withoutStop, isThird } of DIALECTS) {
  const makers = isThird === true ? MAKERS : [...MAKERS, ...AT_CLOUDS]
  describe.each(makers.map((maker) => [maker.id, maker.model, maker] as const))(
    `${name} at %s, %s`,
    (_, _model, maker) => {
      const ask = (question: Question, isStreamed: boolean): Promise<Got> =>
        open(gateway.url, API_KEY).ask(maker.id, maker.model, question, isStreamed)
      const scene = (named: SceneName, isStreamed: boolean, more: Partial<Question> = {}): Promise<Got> =>
        ask({ text: asking(named), ...more }, isStreamed)

      describe.each([
        ['whole', false],
        ['streamed', true],
      ])('%s', (_, isStreamed) => {
        test('says what the model says, and what it used', async () => {
          const { text, calls, finish, usage, dropped } = await scene('text', isStreamed, {
            system: 'Be brief.',
            maxTokens: 4000,
            temperature: 1,
          })
          expect({ text, calls, finish, usage, dropped }).toEqual({
            text: wholeText(SCENES.text),
            calls: [],
            finish: 'stop',
            usage: USAGE,
            dropped: [],
          })
          expect(upstream.last()).toMatchObject({
            system: 'Be brief.',
            texts: [asking('text')],
            maxTokens: 4000,
            temperature: 1,
            tools: [],
            thinks: false,
          })
        })

        test('shows it an image', async () => {
          await scene('text', isStreamed, { image: IMAGE })
          expect(upstream.last()).toMatchObject({ texts: [asking('text')], images: 1 })
        })

        test('calls tools side by side, and goes on with their results', async () => {
          const question: Question = { text: asking('tools'), tools: true, forced: true, system: 'Use tools.' }
          const got = await ask(question, isStreamed)
          expect(got.calls.map(({ name, args }) => ({ name, args }))).toEqual([
            { name: 'weather', args: { city: 'Paris' } },
            { name: 'weather', args: { city: 'Oslo', days: 2 } },
          ])
          expect(got.finish).toBe('tools')
          expect(upstream.last()).toMatchObject({ tools: ['weather'], forced: true })

          const results = ['18 degrees', '7 degrees']
          const next = await scene('results', isStreamed, { tools: true, after: { question, got, results } })
          expect([next.text, next.finish]).toEqual([wholeText(SCENES.results), 'stop'])
          const asked = upstream.last()
          expect(asked).toMatchObject({
            system: 'Use tools.',
            texts: [asking('tools'), asking('results')],
            forced: false,
            calls: got.calls.map(({ name, args }) => ({ name, args })),
          })
          expect(asked.results.map((result, place) => result.includes(results[place] ?? '?'))).toEqual([true, true])
        })

        test('says something and calls tools in one answer', async () => {
          const { text, calls, finish } = await scene('text-and-tools', isStreamed, { tools: true })
          expect([text, calls.length, finish]).toEqual([wholeText(SCENES['text-and-tools']), 2, 'tools'])
        })

        test('lets it think, and shows what it thought', async () => {
          const { thinking, text } = await scene('thinking', isStreamed, { thinks: true, maxTokens: 16_000 })
          expect(text).toBe(wholeText(SCENES.thinking))
          expect(thinking).toBe(showsOf(maker) ? SCENES.thinking.thinking.text : '')
          expect(upstream.last().thinks).toBe(true)
        })

        const canBringBack = showsOf(maker) ? test : undefined
        canBringBack?.('brings its thoughts back to it behind the calls of tools', async () => {
          const question: Question = { text: asking('thinking-tools'), tools: true, thinks: true, maxTokens: 16_000 }
          const got = await ask(question, isStreamed)
          expect(got.calls.length).toBe(2)
          await scene('results', isStreamed, {
            tools: true,
            thinks: true,
            maxTokens: 16_000,
            after: { question, got, results: ['1', '2'] },
          })
          expect(upstream.last()).toMatchObject({ carried: true, calls: [{ name: 'weather' }, { name: 'weather' }] })
        })

        test('promises a form of the answer', async () => {
          const { text } = await scene('json', isStreamed, { schema: SCHEMA })
          expect(JSON.parse(text)).toEqual({ name: 'Ada' })
          // As a schema, or in words where the provider takes none.
          expect(JSON.stringify(upstream.lastBody()).replaceAll('\\', '')).toContain('"required":["name"]')
        })

        test('tells why it stopped', async () => {
          expect((await scene('length', isStreamed)).finish).toBe('length')
          expect((await scene('filter', isStreamed)).finish).toBe('filter')
        })

        const canStop = withoutStop === true ? undefined : test
        canStop?.('says where it stops', async () => {
          await scene('text', isStreamed, { stop: 'END' })
          expect(upstream.last().stop).toEqual(['END'])
        })

        test('refuses in its own words', async () => {
          const error = await failure(() => scene('refused', isStreamed))
          expect(open(gateway.url, API_KEY).errorOf(error)).toMatchObject({
            status: 400,
            message: expect.stringContaining(`${maker.id}: refused with 400`),
          })
          const limited = await failure(() => scene('limited', isStreamed))
          const told = open(gateway.url, API_KEY).errorOf(limited)
          expect(told?.status).toBe(429)
          if (told !== undefined && 'retryAfter' in told) expect(told.retryAfter).toBe('7')
        })
      })

      test('a stream that fails or is cut is no answer', async () => {
        for (const broken of ['overloaded', 'cut'] as const) {
          const error = await failure(() => scene(broken, true))
          expect(error, broken).toBeInstanceOf(Error)
        }
      })
    },
  )
}

const failure = async (run: () => Promise<unknown>): Promise<unknown> => {
  try {
    await run()
  } catch (thrown) {
    return thrown
  }
  throw new Error('the call did not fail')
}
