import { expect, test } from 'bun:test'
import type { ContentPart, Message } from './openai.ts'
import { withTextResults } from './tool-results.ts'

const text = (said: string): ContentPart => ({ type: 'text', text: said })
const picture: ContentPart = { type: 'image_url', image_url: { url: 'https://files.example/a.png' } }
const result = (id: string, content: readonly ContentPart[] | string): Message => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
const next: Message = { role: 'user', content: 'Well?' }

test('pictures stand behind all results of a turn', () => {
  const made = withTextResults([result('1', [text('Seen.'), picture]), result('2', [picture]), result('3', 'x'), next])
  expect(made).toEqual([
    result('1', [text('Seen.')]),
    result('2', 'See the next message.'),
    result('3', 'x'),
    { role: 'user', content: [text('What the tools gave besides text:'), picture, picture] },
    next,
  ])
  expect(withTextResults([result('1', [picture])]).map(({ role }) => role)).toEqual(['tool', 'user'])
})

test('a conversation without any stays as it is', () => {
  const plain = [result('1', [text('a'), text('b')]), { role: 'user', content: [picture] }] as const
  expect(withTextResults(plain)).toBe(plain)
})
