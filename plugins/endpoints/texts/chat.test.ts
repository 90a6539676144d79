import { describe, expect, test } from 'bun:test'
import type { ReadEvent, StreamTexts, TextPlace } from '#core/guardrails'
import { chatAnswers } from '../chat-answers.ts'
import { chatTexts } from './chat.ts'

const shown = (places: readonly TextPlace[]): unknown =>
  places.map(({ role, kind, path, text, isJson }) => [role, kind, path.join('.'), text, ...(isJson ? ['JSON'] : [])])

const asked = (...messages: readonly object[]): unknown => shown(chatTexts.asked({ messages }))

describe('what a chat asks', () => {
  const USER = { role: 'user', content: 'and now?' }

  test('is what the last message says', () => {
    expect(asked({ role: 'system', content: 'be kind' }, { role: 'user', content: 'hi' }, USER)).toEqual([
      ['user', 'text', 'messages.2.content', 'and now?'],
    ])
    expect(asked({ role: 'developer', content: 'x' })).toEqual([['system', 'text', 'messages.0.content', 'x']])
  })

  test('is the text of its parts, without pictures, sound and files', () => {
    const content = [
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { file_data: 'AAAA', filename: 'a.pdf', file_id: 'file-1' } },
      { type: 'text', text: 'be brief', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]
    expect(asked({ role: 'user', content })).toEqual([
      ['user', 'text', 'messages.0.content.0.text', 'what is this?'],
      ['user', 'text', 'messages.0.content.4.text', 'be brief'],
    ])
  })

  test('has the results of tools that stand before it', () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
    }
    const results = [
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'warm' }] },
      { role: 'function', name: 'f', content: 'dry' },
    ]
    const places = [
      ['tool', 'tool-result', 'messages.2.content', 'sunny'],
      ['tool', 'tool-result', 'messages.3.content.0.text', 'warm'],
      ['tool', 'tool-result', 'messages.4.content', 'dry'],
    ]
    expect(asked(USER, call, ...results)).toEqual(places)
    expect(asked(USER, call, ...results, USER)).toEqual([...places, ['user', 'text', 'messages.5.content', 'and now?']])
  })

  test('is not hidden by the beginning of an answer', () => {
    expect(asked(USER, { role: 'assistant', content: '{' })).toEqual([
      ['user', 'text', 'messages.0.content', 'and now?'],
      ['assistant', 'text', 'messages.1.content', '{'],
    ])
    expect(asked({ role: 'assistant', content: 'a' })).toEqual([['assistant', 'text', 'messages.0.content', 'a']])
  })

  test('is nothing where there is nothing', () => {
    expect(asked()).toEqual([])
    expect(asked({ role: 'user' }, { role: 'user', content: null })).toEqual([])
    expect(shown(chatTexts.asked({ messages: 'hi' }))).toEqual([])
    expect(shown(chatTexts.asked({ messages: ['hi', null] }))).toEqual([])
  })
})

/** An answer with every text that one can have. */
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        reasoning: 'I think this over.',
        reasoning_content: 'I think this over.',
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I think this over.', signature: 's' }],
        content: 'It is sunny in Rome today.',
        refusal: 'But I say no more.',
        content_blocks: [
          { type: 'thinking', thinking: 'I think this over.', signature: 's' },
          { type: 'text', text: 'It is sunny in Rome today.', citations: [{ cited_text: 'sunny', title: 'News' }] },
          { type: 'tool_use', id: 't', name: 'f', input: { city: 'Rome' } },
        ],
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"city":"Rome"}' } },
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{"city":"Oslo"}' } },
        ],
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: 'Weather' } }],
      },
      logprobs: { content: [{ token: 'It', logprob: 0 }], refusal: null },
      finish_reason: 'stop',
    },
    { index: 1, message: { role: 'assistant', content: 'Rain.' }, logprobs: null, finish_reason: 'length' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

test('what a chat answers is every text of every choice', () => {
  expect(shown(chatTexts.answered?.(ANSWER) ?? [])).toEqual([
    ['assistant', 'reasoning', 'choices.0.message.reasoning', 'I think this over.'],
    ['assistant', 'reasoning', 'choices.0.message.reasoning_content', 'I think this over.'],
    ['assistant', 'reasoning', 'choices.0.message.reasoning_details.0.text', 'I think this over.'],
    ['assistant', 'text', 'choices.0.message.content', 'It is sunny in Rome today.'],
    ['assistant', 'text', 'choices.0.message.refusal', 'But I say no more.'],
    ['assistant', 'reasoning', 'choices.0.message.content_blocks.0.thinking', 'I think this over.'],
    ['assistant', 'text', 'choices.0.message.content_blocks.1.text', 'It is sunny in Rome today.'],
    ['assistant', 'text', 'choices.0.message.content_blocks.1.citations.0.cited_text', 'sunny'],
    ['assistant', 'text', 'choices.0.message.content_blocks.1.citations.0.title', 'News'],
    ['assistant', 'tool-arguments', 'choices.0.message.content_blocks.2.input', '{"city":"Rome"}', 'JSON'],
    ['assistant', 'tool-arguments', 'choices.0.message.tool_calls.0.function.arguments', '{"city":"Rome"}'],
    ['assistant', 'tool-arguments', 'choices.0.message.tool_calls.1.function.arguments', '{"city":"Oslo"}'],
    ['assistant', 'text', 'choices.0.message.annotations.0.url_citation.title', 'Weather'],
    ['assistant', 'text', 'choices.1.message.content', 'Rain.'],
  ])
})

const texts = (): StreamTexts => chatTexts.stream?.({}) as StreamTexts
const chunk = (...choices: readonly object[]): { event: string; data: string } => ({
  event: 'message',
  data: JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }),
})
const delta = (fields: object, more: object = {}): object => ({ index: 0, delta: fields, finish_reason: null, ...more })

describe('a stream of a chat', () => {
  test('has the texts of the answer, by their tracks', () => {
    const stream = texts()
    const tracks = new Map<string, string>()
    const ended = new Set<string>()
    for (const each of chatAnswers.read(ANSWER)?.chunks(true) ?? []) {
      const read = stream.read({ event: 'message', data: JSON.stringify(each) })
      for (const { track, text } of read?.pieces ?? []) tracks.set(track, (tracks.get(track) ?? '') + text)
      for (const track of read?.ends ?? []) ended.add(track)
    }
    const found = (chatTexts.answered?.(ANSWER) ?? []).map(({ text }) => text)
    expect([...tracks.values()].toSorted()).toEqual(found.toSorted())
    expect([...ended].toSorted()).toEqual([...tracks.keys()].toSorted())
  })

  test('says where each piece stands, and what spells it in tokens', () => {
    const read = texts().read(chunk(delta({ content: 'hi', role: 'assistant' }, { logprobs: { content: [] } })))
    expect(read?.pieces).toEqual([
      {
        role: 'assistant',
        kind: 'text',
        path: ['choices', 0, 'delta', 'content'],
        text: 'hi',
        tokens: ['choices', 0, 'logprobs'],
        track: '0.content',
      },
    ])
    expect(read?.ends).toBeUndefined()
  })

  test('ends a text where another kind of text begins, and copies go on beside it', () => {
    const stream = texts()
    const ends = (fields: object, more: object = {}): unknown => stream.read(chunk(delta(fields, more)))?.ends
    expect(ends({ reasoning: 'a', reasoning_content: 'a' })).toBeUndefined()
    expect(ends({ reasoning_details: [{ type: 'reasoning.text', text: 'a' }] })).toBeUndefined()
    expect(ends({ reasoning: 'b', reasoning_content: 'b' })).toBeUndefined()
    expect(ends({ content: 'c' })).toEqual(['0.reasoning_details.0.text', '0.reasoning_content', '0.reasoning'])
    expect(ends({ content: 'd' })).toBeUndefined()
    const call = (index: number) => ({ tool_calls: [{ index, function: { arguments: '{' } }] })
    expect(ends(call(0))).toEqual(['0.content'])
    expect(ends(call(0))).toBeUndefined()
    expect(ends(call(1))).toEqual(['0.tool_calls.0.arguments'])
    expect(ends({}, { finish_reason: 'tool_calls' })).toEqual(['0.tool_calls.1.arguments'])
  })

  test('has the same track for content that comes as parts', () => {
    const stream = texts()
    const pieces = (content: unknown): unknown =>
      stream.read(chunk(delta({ content })))?.pieces.map(({ track, kind, text }) => [track, kind, text])
    expect(pieces([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }])).toEqual([
      ['0.content.reasoning', 'reasoning', 'Hm'],
    ])
    expect(pieces([{ type: 'text', text: 'He' }])).toEqual([['0.content', 'text', 'He']])
    expect(pieces('llo')).toEqual([['0.content', 'text', 'llo']])
  })

  test('has no texts in what says none', () => {
    const stream = texts()
    expect(stream.read({ event: 'message', data: '[DONE]' })).toBeUndefined()
    expect(stream.read(chunk())?.pieces).toEqual([])
    expect(stream.read(chunk(delta({ role: 'assistant', content: '', refusal: null })))?.pieces).toEqual([])
    expect(stream.read({ event: 'message', data: '{"error":{"message":"no"}}' })?.pieces).toEqual([])
    expect(() => stream.read({ event: 'message', data: '{' })).toThrow(SyntaxError)
  })

  test('that is withheld finishes the choices that the client has seen begin', () => {
    const stream = texts()
    expect(stream.withhold(undefined)).toBe('')
    const both = stream.read(chunk(delta({ content: 'a' }), { ...delta({ content: 'b' }), index: 1 }))
    const first = stream.read(chunk(delta({}, { finish_reason: 'stop' })))
    stream.read(chunk({ ...delta({ content: 'c' }), index: 2 }))
    const finished = (last: ReadEvent | undefined): unknown =>
      stream
        .withhold(last)
        .split('\n\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text.slice('data: '.length)))
        .map(({ choices: [choice], ...rest }) => ({ ...rest, ...choice }))
    const about = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      delta: {},
      logprobs: null,
    }
    expect(finished(both)).toEqual([
      { ...about, index: 0, finish_reason: 'content_filter' },
      { ...about, index: 1, finish_reason: 'content_filter' },
    ])
    expect(finished(first)).toEqual([{ ...about, index: 1, finish_reason: 'content_filter' }])
  })
})

test('a soft refusal is a whole answer, and the stream that it could have been', () => {
  const said = chatTexts.say?.('Not today.', { id: 'chatcmpl-2', model: 'm', created: 5 }) ?? {}
  expect(chatAnswers.read(said)?.answer).toEqual(said)
  expect(chatTexts.answered?.(said).map(({ text }) => text)).toEqual(['Not today.'])
  expect(said).toMatchObject({ id: 'chatcmpl-2', model: 'm', created: 5, object: 'chat.completion' })
})
