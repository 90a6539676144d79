import { describe, expect, test } from 'bun:test'
import { dataOf, readStream, shown } from '../../../test/support/stream-texts.ts'
import { messageAnswers } from '../messages/answers.ts'
import { messageTexts } from './messages.ts'

const asked = (...messages: readonly object[]): unknown => shown(messageTexts.asked({ messages }))

describe('what a message asks', () => {
  const USER = { role: 'user', content: 'and now?' }

  test('is what the last turn says', () => {
    expect(asked({ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' }, USER)).toEqual([
      ['user', 'text', 'messages.2.content', 'and now?'],
    ])
  })

  test('is the text of its blocks, documents and results of tools among them', () => {
    const content = [
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: [
          { type: 'text', text: 'sunny' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 't2', content: 'warm', is_error: false },
      { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }, title: 'Report' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'It rains.' }, context: 'News' },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'It snows.' }] } },
      {
        type: 'search_result',
        source: 'https://b.example',
        title: 'B',
        content: [{ type: 'text', text: 'It hails.' }],
      },
      { type: 'text', text: 'what of it?', cache_control: { type: 'ephemeral' } },
    ]
    expect(asked(USER, { role: 'user', content })).toEqual([
      ['tool', 'tool-result', 'messages.1.content.0.content.0.text', 'sunny'],
      ['tool', 'tool-result', 'messages.1.content.1.content', 'warm'],
      ['user', 'text', 'messages.1.content.3.title', 'Report'],
      ['user', 'text', 'messages.1.content.4.source.data', 'It rains.'],
      ['user', 'text', 'messages.1.content.4.context', 'News'],
      ['user', 'text', 'messages.1.content.5.source.content.0.text', 'It snows.'],
      ['user', 'text', 'messages.1.content.6.source', 'https://b.example'],
      ['user', 'text', 'messages.1.content.6.title', 'B'],
      ['user', 'text', 'messages.1.content.6.content.0.text', 'It hails.'],
      ['user', 'text', 'messages.1.content.7.text', 'what of it?'],
    ])
  })

  test('has results of tools in messages of their own, and is not hidden by what stands behind it', () => {
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'sunny' }] }
    const behind = [
      { role: 'system', content: 'be kind' },
      { role: 'assistant', content: [{ type: 'text', text: '{' }] },
    ]
    expect(asked(USER, { role: 'assistant', content: 'a' }, result, USER, ...behind)).toEqual([
      ['tool', 'tool-result', 'messages.2.content.0.content', 'sunny'],
      ['user', 'text', 'messages.3.content', 'and now?'],
      ['system', 'text', 'messages.4.content', 'be kind'],
      ['assistant', 'text', 'messages.5.content.0.text', '{'],
    ])
  })

  test('is nothing where there is nothing', () => {
    expect(asked()).toEqual([])
    expect(shown(messageTexts.asked({}))).toEqual([])
    expect(shown(messageTexts.asked({ messages: [null, 'hi'] }))).toEqual([])
  })
})

const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'I think this over.', signature: 'c2lnbmVk' },
    { type: 'redacted_thinking', data: 'AAAA' },
    {
      type: 'text',
      text: 'It is sunny today.',
      citations: [{ type: 'char_location', cited_text: 'sunny', document_title: 'News' }],
    },
    { type: 'tool_use', id: 't', name: 'f', input: { city: 'Rome', days: 3 } },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'Rome' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 's',
      content: [{ type: 'web_search_result', title: 'Rome', url: 'https://r.example', encrypted_content: 'AAAA' }],
    },
  ],
  stop_reason: 'refusal',
  stop_sequence: null,
  stop_details: { type: 'refusal', category: 'cyber', explanation: 'No more of this.' },
  usage: { input_tokens: 1, output_tokens: 2 },
}

test('what a message answers is every text of it', () => {
  expect(shown(messageTexts.answered?.(ANSWER))).toEqual([
    ['assistant', 'reasoning', 'content.0.thinking', 'I think this over.'],
    ['assistant', 'text', 'content.2.text', 'It is sunny today.'],
    ['assistant', 'text', 'content.2.citations.0.cited_text', 'sunny'],
    ['assistant', 'text', 'content.2.citations.0.document_title', 'News'],
    ['assistant', 'tool-arguments', 'content.3.input', '{"city":"Rome","days":3}', 'JSON'],
    ['assistant', 'tool-arguments', 'content.4.input', '{"query":"Rome"}', 'JSON'],
    ['tool', 'tool-result', 'content.5.content.0.title', 'Rome'],
    ['assistant', 'text', 'stop_details.explanation', 'No more of this.'],
  ])
})

const EVENTS = [...(messageAnswers.read(ANSWER)?.chunks(true) ?? [])]

describe('a stream of a message', () => {
  test('has the texts of the answer by block, which end with it', () => {
    const { tracks, ends, isEnded } = readStream(messageTexts, EVENTS)
    const { whole, ...growing } = Object.groupBy(Object.entries(tracks), ([track]) =>
      track.startsWith('whole.') ? 'whole' : 'growing',
    )
    expect(Object.fromEntries(growing.growing ?? [])).toEqual({
      '0.thinking': 'I think this over.',
      '2.text': 'It is sunny today.',
      '3.partial_json': '{"city":"Rome","days":3}',
      '4.partial_json': '{"query":"Rome"}',
    })
    expect(whole?.map(([, text]) => text)).toEqual(['sunny', 'News', 'Rome', 'No more of this.'])
    expect([...ends].toSorted()).toEqual(Object.keys(tracks).toSorted())
    expect(isEnded).toBeTrue()
  })

  test('ends a text where its block is closed', () => {
    const { events } = readStream(messageTexts, EVENTS)
    for (const event of events) {
      if (event?.fields.type !== 'content_block_stop' || event.ends === undefined) continue
      expect(event.ends).toEqual([expect.stringMatching(new RegExp(`^${event.fields.index}\\.`))])
    }
    expect(events.filter((event) => event?.fields.type === 'content_block_stop' && event.ends)).toHaveLength(4)
  })

  test('has no texts in what says none', () => {
    const { events } = readStream(messageTexts, [
      { type: 'ping' },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'AAAA' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } },
    ])
    expect(events.map((event) => [event?.pieces, event?.ends])).toEqual(Array(4).fill([[], undefined]))
    const stream = messageTexts.stream?.({})
    expect(stream?.read({ event: 'message', data: '' })).toBeUndefined()
    expect(() => stream?.read({ event: 'message', data: '{' })).toThrow(SyntaxError)
  })

  test('has a text of its own for what it does not know', () => {
    const { tracks } = readStream(messageTexts, [
      { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'So far: ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'rain.' } },
    ])
    expect(tracks).toEqual({ '0.content': 'So far: rain.' })
  })

  test('that is withheld closes what is open, and stops with `refusal`', () => {
    const { events, withhold } = readStream(messageTexts, EVENTS)
    const stop = {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: null },
      usage: { output_tokens: 2 },
    }
    const at = (type: string, index?: number): number =>
      events.findIndex((event) => event?.fields.type === type && event.fields.index === index)
    expect(withhold(-1)).toBe('')
    expect(dataOf(withhold(at('message_start')))).toEqual([stop])
    expect(dataOf(withhold(at('content_block_start', 2)))).toEqual([{ type: 'content_block_stop', index: 2 }, stop])
    expect(dataOf(withhold(at('content_block_delta', 2)))).toEqual([{ type: 'content_block_stop', index: 2 }, stop])
    expect(dataOf(withhold(at('content_block_stop', 2)))).toEqual([stop])
    expect(withhold(at('message_delta'))).toBe('')
    expect(withhold(at('content_block_start', 2))).toStartWith('event: content_block_stop\ndata: {')
  })
})

test('a soft refusal is a whole answer', () => {
  const said = messageTexts.say?.('Not today.', { id: 'msg_2', model: 'm', created: 5 }) ?? {}
  expect(messageAnswers.read(said)?.answer).toEqual(said)
  expect(said).toMatchObject({ id: 'msg_2', model: 'm', stop_reason: 'end_turn', usage: { output_tokens: 0 } })
  expect(shown(messageTexts.answered?.(said))).toEqual([['assistant', 'text', 'content.0.text', 'Not today.']])
})
