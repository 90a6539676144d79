import { expect, test } from 'bun:test'
import { answeredIn, askedIn, imagesOf, wordsOf } from './messages.ts'

const PICTURE = 'data:image/png;base64,AAAA'

test('a chat is read as it is, with its images and calls of tools', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
  const asked = askedIn({
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: PICTURE } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ],
  })
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  expect(asked.map(wordsOf)).toEqual(['Be brief.', 'What is it?', '', 'a cat'])
  expect(asked.flatMap(imagesOf)).toEqual([PICTURE])
  expect(asked[2]?.tool_calls?.[0]?.function).toEqual({ name: 'look', arguments: '{"at":1}' })
  expect(answeredIn({ choices: [{ message: { role: 'assistant', content: 'A cat.' } }] }).map(wordsOf)).toEqual([
    'A cat.',
  ])
})

test('messages in the form of Anthropic are the same', () => {
  const asked = askedIn({
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a cat' }] },
    ],
  })
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  expect(asked.flatMap(imagesOf)).toEqual([PICTURE])
  expect(asked[2]?.tool_calls?.[0]?.function).toEqual({ name: 'look', arguments: '{"at":1}' })
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] }
  expect(answeredIn(answer).map(wordsOf)).toEqual(['A cat.'])
})

test('so are responses', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
  const asked = askedIn({
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'What is it?' }] },
      call,
      { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
    ],
  })
  expect(asked.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A cat.' }] }]
  expect(answeredIn({ output }).map(wordsOf)).toEqual(['A cat.'])
  expect(askedIn({ input: 'Hello' }).map(wordsOf)).toEqual(['Hello'])
})

test('what is no conversation is none', () => {
  for (const body of [null, 'text', 5, [], {}, { messages: 5 }, { input: 7 }, { messages: [null, 7, { role: 'x' }] }]) {
    expect(askedIn(body)).toEqual([])
    expect(answeredIn(body)).toEqual([])
  }
})
