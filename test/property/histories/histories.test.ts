/** An answer of any provider, as a client got it, is a history that every other takes. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '#calls/adapt'
import type { Plugin, Provider } from '#kit'
import type { ChatRequest, Message } from '#kit/provider'
import { setUp } from '#kit/testing'
import anthropic from '../../../plugins/providers/anthropic/index.ts'
import azure from '../../../plugins/providers/azure-openai/index.ts'
import deepseek from '../../../plugins/providers/deepseek/index.ts'
import google from '../../../plugins/providers/google/index.ts'
import groq from '../../../plugins/providers/groq/index.ts'
import mistral from '../../../plugins/providers/mistral-ai/index.ts'
import moonshot from '../../../plugins/providers/moonshot/index.ts'
import ollama from '../../../plugins/providers/ollama/index.ts'
import openai from '../../../plugins/providers/openai/index.ts'
import openrouter from '../../../plugins/providers/openrouter/index.ts'
import perplexity from '../../../plugins/providers/perplexity-ai/index.ts'
import together from '../../../plugins/providers/together-ai/index.ts'
import workers from '../../../plugins/providers/workers-ai/index.ts'
import xai from '../../../plugins/providers/xai/index.ts'
import { loadFixtures } from '../../../src/kit/testing/fixture.ts'
import { answersOf } from './answers.ts'
import { RULES } from './rules.ts'

const plugins: readonly Plugin[] = [
  anthropic,
  azure,
  deepseek,
  google,
  groq,
  mistral,
  ollama,
  openai,
  openrouter,
  together,
  xai,
  perplexity,
  workers,
  moonshot,
]

const providers: readonly Provider[] = (
  await Promise.all(
    plugins.map((plugin) => setUp(plugin, plugin.name === 'azure-openai' ? { resourceName: 'acme' } : {})),
  )
).flatMap((subject) => subject.providers)

const answers = providers.flatMap((provider) =>
  loadFixtures(new URL(`../../../plugins/providers/${provider.id}/fixtures/`, import.meta.url)).flatMap(
    ({ name, fixture }) =>
      [true, false].flatMap((strict) =>
        answersOf(provider, fixture, strict).map((message) => ({
          from: `${provider.id}/${name}, strict ${strict}`,
          message,
        })),
      ),
  ),
)

const user: Message = { role: 'user', content: 'And?' }
const system: Message = { role: 'system', content: 'Be brief.' }

/** What a client makes of an answer on its way back. */
const CHANGES: Readonly<Record<string, (message: Message) => Message>> = {
  'as it came': (message) => message,
  'without content': (message) => ({ ...message, content: null }),
  'with no calls as a list': (message) => ({ ...message, tool_calls: message.tool_calls ?? [] }),
  'with fields of the reference alone': ({ content, tool_calls: calls }) => ({
    role: 'assistant',
    ...(content === undefined ? {} : { content }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  }),
  'with parts': (message) => ({
    ...message,
    content: [
      { type: 'text', text: String(message.content ?? 'x') },
      { type: 'image_url', image_url: { url: 'https://files.example/a.png' } },
    ],
  }),
  refused: (message) => ({
    role: 'assistant',
    content: null,
    refusal: 'No.',
    logprobs: undefined,
    name: message.name ?? 'a',
  }),
  filtered: () => ({ role: 'assistant', content: null }),
  'with a call that was cut short': (message) => ({
    ...message,
    tool_calls: [{ id: 'x'.repeat(60), type: 'function', function: { name: 'f', arguments: '{"a":"b' } }],
  }),
  'with the reasoning of another': (message) => ({
    ...message,
    reasoning: 'Hm.',
    reasoning_details: [{ type: 'reasoning.text' }],
  }),
}

const results = ({ tool_calls: calls }: Message): readonly Message[] =>
  (calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '1' }))

/** Where in a conversation the answer stands. */
const PLACES: Readonly<Record<string, (answer: Message) => readonly Message[]>> = {
  'before a question': (answer) => [system, user, answer, ...results(answer), user],
  last: (answer) => [user, answer, ...results(answer)],
  first: (answer) => [answer, ...results(answer), user],
  'before instructions': (answer) => [user, answer, ...results(answer), system, user],
  twice: (answer) => [user, answer, ...results(answer), answer, ...results(answer), user],
}

const check = (provider: Provider, model: string, messages: readonly Message[], strict: boolean): readonly string[] => {
  const { chat } = provider.endpoints
  const known = RULES[provider.id]
  if (chat === undefined || known === undefined) throw new Error(`no rules for ${provider.id}`)
  const context = {
    model,
    stream: false,
    strict,
    includeUsage: false,
    callId: 'c',
    created: 1,
    settings: provider.defaultSettings ?? {},
  }
  const request: ChatRequest = { model, messages }
  const { body } = adaptRequest(chat, request, context)
  return known.rules(JSON.parse(JSON.stringify({ ...(body ?? request), model })))
}

test('there are answers of every provider, whole and streamed', () => {
  for (const { id } of providers)
    expect(answers.filter(({ from }) => from.startsWith(`${id}/`)).length).toBeGreaterThan(1)
})

test.each(providers.map((provider) => [provider.id, provider] as const))(
  '%s takes the answers of all',
  (id, provider) => {
    for (const model of RULES[id]?.models ?? []) {
      for (const { from, message } of answers) {
        for (const [change, made] of Object.entries(CHANGES)) {
          for (const [place, history] of Object.entries(PLACES)) {
            const problems = check(provider, model, history(made(message)), true)
            expect(problems, `${from}, ${change}, ${place}, to ${model}`).toEqual([])
          }
        }
      }
    }
  },
)

test('long conversations of many providers too', () => {
  const turn = fc
    .tuple(fc.constantFrom(...answers), fc.constantFrom(...Object.values(CHANGES)), fc.boolean())
    .map(([{ message }, change, asks]) => {
      const answer = change(message)
      return [answer, ...results(answer), ...(asks ? [user] : [])]
    })
  fc.assert(
    fc.property(fc.nat(providers.length - 1), fc.array(turn, { minLength: 1, maxLength: 6 }), (at, turns) => {
      const provider = providers[at] as Provider
      for (const model of RULES[provider.id]?.models ?? []) {
        expect(check(provider, model, [user, ...turns.flat()], false)).toEqual([])
      }
    }),
    { numRuns: 1000 },
  )
})
