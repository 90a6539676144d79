import { expect, test } from 'bun:test'
import type { StreamTexts, TextPlace } from '#core/guardrails'
import { textAnswers } from '../text-answers.ts'
import { completionTexts } from './completions.ts'
import { embeddingTexts } from './embeddings.ts'

const shown = (places: readonly TextPlace[] = []): unknown => places.map(({ path, text }) => [path.join('.'), text])

test.each([
  [{ prompt: 'Once' }, [['prompt', 'Once']]],
  [
    { prompt: 'Once', suffix: 'The end.' },
    [
      ['prompt', 'Once'],
      ['suffix', 'The end.'],
    ],
  ],
  [
    { prompt: ['Once', 'Twice'] },
    [
      ['prompt.0', 'Once'],
      ['prompt.1', 'Twice'],
    ],
  ],
  [{ prompt: [1, 2, 3] }, []],
  [{ prompt: [[1], [2]], suffix: null }, []],
  [{}, []],
])('a text completion asks %j', (params, places) => {
  expect(shown(completionTexts.asked(params))).toEqual(places)
})

test.each([
  [{ input: 'a' }, [['input', 'a']]],
  [
    { input: ['a', 'b'] },
    [
      ['input.0', 'a'],
      ['input.1', 'b'],
    ],
  ],
  [{ input: [1, 2] }, []],
  [
    {
      input: [
        { type: 'text', text: 'a' },
        {
          content: [
            { type: 'text', text: 'b' },
            { type: 'image_url', image_url: 'c' },
          ],
        },
      ],
    },
    [
      ['input.0.text', 'a'],
      ['input.1.content.0.text', 'b'],
    ],
  ],
])('embeddings are asked for of %j', (params, places) => {
  expect(shown(embeddingTexts.asked(params))).toEqual(places)
  expect(embeddingTexts.answered).toBeUndefined()
})

const ANSWER = {
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: 'm',
  choices: [
    { text: ' upon a time', index: 0, logprobs: { tokens: [' upon'] }, finish_reason: 'stop' },
    { text: '', index: 1, logprobs: null, finish_reason: 'length' },
    { text: ' more', index: 2, logprobs: null, finish_reason: 'length', stop_reason: null, token_ids: null },
  ],
}

test('a text completion answers the text of every choice, an empty one too', () => {
  expect(completionTexts.answered?.(ANSWER)).toEqual([
    {
      role: 'assistant',
      kind: 'text',
      path: ['choices', 0, 'text'],
      text: ' upon a time',
      tokens: ['choices', 0, 'logprobs'],
    },
    { role: 'assistant', kind: 'text', path: ['choices', 1, 'text'], text: '', tokens: undefined },
    { role: 'assistant', kind: 'text', path: ['choices', 2, 'text'], text: ' more', tokens: undefined },
  ])
})

test('its stream has them by choice, and is withheld with a chunk for each that is open', () => {
  const stream = completionTexts.stream?.({}) as StreamTexts
  const tracks: Record<string, string> = {}
  const ends: string[] = []
  let last: ReturnType<StreamTexts['read']>
  for (const chunk of [...(textAnswers.read(ANSWER)?.chunks(false) ?? [])]) {
    last = stream.read({ event: 'message', data: JSON.stringify(chunk) })
    for (const { track, text } of last?.pieces ?? []) tracks[track] = (tracks[track] ?? '') + text
    ends.push(...(last?.ends ?? []))
  }
  expect(tracks).toEqual({ '0.text': ' upon a time', '2.text': ' more' })
  expect(ends).toEqual(['0.text', '2.text'])
  expect(stream.withhold(last)).toBe('')
  const open = { ...ANSWER, choices: [{ index: 3, text: 'a', logprobs: null, finish_reason: null }] }
  last = stream.read({ event: 'message', data: JSON.stringify(open) })
  expect(JSON.parse(stream.withhold(last).slice('data: '.length))).toEqual({
    ...ANSWER,
    choices: [{ index: 3, text: '', logprobs: null, finish_reason: 'content_filter' }],
  })
})

test('a soft refusal is a whole answer', () => {
  const said = completionTexts.say?.('No.', { id: 'cmpl-2', model: 'm', created: 5 }) ?? {}
  expect(textAnswers.read(said)?.answer).toEqual(said)
  expect(shown(completionTexts.answered?.(said))).toEqual([['choices.0.text', 'No.']])
})
