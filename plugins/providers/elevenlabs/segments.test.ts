import { expect, test } from 'bun:test'
import { timesOf } from './segments.ts'

const word = (text: string, start: number, end: number, more = {}) => ({ text, type: 'word', start, end, ...more })
const blank = { text: ' ', type: 'spacing', start: 0, end: 0 }
const textsOf = (words: unknown) => timesOf(words).segments.map(({ text, start, end }) => [text, start, end])

test.each([
  ['a sentence', [word('Yes.', 0, 1), blank, word('No', 1, 2)], ['Yes.', 0, 1], ['No', 1, 2]],
  ['a sentence in quotes', [word('“Yes.”', 0, 1), blank, word('No', 1, 2)], ['“Yes.”', 0, 1], ['No', 1, 2]],
  ['a pause', [word('Yes', 0, 1), blank, word('no', 2.5, 3)], ['Yes', 0, 1], ['no', 2.5, 3]],
  ['seven seconds', [word('Yes', 0, 6.5), blank, word('no', 6.6, 7.1)], ['Yes', 0, 6.5], ['no', 6.6, 7.1]],
  [
    'another speaker',
    [word('Yes', 0, 1, { speaker_id: 'speaker_0' }), blank, word('no', 1, 2, { speaker_id: 'speaker_1' })],
    ['Yes', 0, 1],
    ['no', 1, 2],
  ],
  [
    'two full lines',
    [word('x'.repeat(80), 0, 1), blank, word('longer', 1, 2)],
    ['x'.repeat(80), 0, 1],
    ['longer', 1, 2],
  ],
])('%s ends a segment', (_name, words, first, second) => {
  expect(textsOf(words)).toEqual([first, second])
})

test('words that need no blanks get none, and one without times goes with that before', () => {
  const words = [word('こん', 0, 0.5), word('にちは', 0.5, 1), { text: '!', type: 'word', start: null, end: null }]
  expect(timesOf(words)).toEqual({
    words: [
      { word: 'こん', start: 0, end: 0.5 },
      { word: 'にちは', start: 0.5, end: 1 },
    ],
    segments: [{ start: 0, end: 1, text: 'こんにちは!' }],
  })
})
