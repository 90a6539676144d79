import { expect, test } from 'bun:test'
import { OPENAI_CHAT_PARAMS, OPENAI_MESSAGE_FIELDS } from './chat-fields.ts'
import { type AnswerForms, answerForms, earlierAnswer, wordsOf } from './earlier-answer.ts'
import type { Message } from './openai.ts'

const OPENAI = answerForms({ unknown: 'ignored', params: OPENAI_CHAT_PARAMS, messages: OPENAI_MESSAGE_FIELDS })
const PLAIN = answerForms({
  unknown: 'refused',
  params: [],
  messages: { system: [], user: [], assistant: ['tool_calls'], tool: [] },
})
const ANY = answerForms(undefined)

const answer = (fields: Omit<Message, 'role'>): Message => ({ role: 'assistant', ...fields })

const sentTo = (
  forms: AnswerForms,
  message: Message,
): { readonly message: Message; readonly lost: readonly string[] } => {
  const lost: string[] = []
  return { message: earlierAnswer(message, message, forms, (part) => lost.push(part)), lost }
}

test.each<readonly [string, Message, string]>([
  ['nothing at all', answer({ content: null }), ''],
  ['no content field', answer({}), ''],
  ['only a refusal', answer({ content: null, refusal: 'No.' }), 'No.'],
  ['only sound', answer({ content: null, audio: { id: 'a', data: 'UklG', transcript: 'Hello.' } }), 'Hello.'],
  [
    'only blocks',
    answer({ content: null, content_blocks: [{ type: 'thinking' }, { type: 'text', text: 'Hi' }] }),
    'Hi',
  ],
  ['only a picture', answer({ content: null, content_blocks: [{ type: 'image', source: {} }] }), '[image]'],
  ['only pictures of OpenRouter', answer({ content: '', images: [{ type: 'image_url' }] }), '[image]'],
  ['only a picture as a part', answer({ content: [{ type: 'image_url', image_url: 'https://a.example' }] }), '[image]'],
])('an answer with %s says what it can in its content', (_, message, words) => {
  expect(wordsOf(message)).toBe(words)
  expect(sentTo(PLAIN, message).message.content).toBe(words)
})

test('what a host has a form for stays in it', () => {
  const refused = answer({ content: null, refusal: 'No.' })
  expect(sentTo(OPENAI, refused).message).toBe(refused)
  const spoken = answer({ content: null, audio: { id: 'a', data: 'UklG', expires_at: 1, transcript: 'Hello.' } })
  expect(sentTo(OPENAI, spoken).message).toEqual(answer({ content: null, audio: { id: 'a' } }))
})

test('an empty list of calls is none, and a call needs no content', () => {
  expect(sentTo(OPENAI, answer({ content: null, tool_calls: [] })).message).toEqual(answer({ content: '' }))
  const calling = answer({
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  })
  expect(sentTo(PLAIN, calling).message).toBe(calling)
})

test('parts that an answer may not have there are left out and named; a refusal becomes text', () => {
  const mixed = answer({
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'https://a.example' } },
      { type: 'refusal', refusal: 'No.' },
    ],
  })
  expect(sentTo(PLAIN, mixed)).toEqual({
    message: answer({
      content: [
        { type: 'text', text: 'Look' },
        { type: 'text', text: 'No.' },
      ],
    }),
    lost: ['messages[].content[]'],
  })
  expect(sentTo(ANY, mixed)).toEqual({ message: mixed, lost: [] })
})

test("thinking that a call carries for Anthropic goes to no server that nobody knows, Google's signature does", () => {
  const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }
  const google = { thought_signature: 'c2ln' }
  const message = answer({
    content: null,
    tool_calls: [
      { ...call, extra_content: { anthropic: { blocks: [] } } },
      { ...call, extra_content: { anthropic: { blocks: [] }, google } },
    ],
  })
  expect(sentTo(ANY, message).message.tool_calls).toEqual([call, { ...call, extra_content: { google } }])
})
