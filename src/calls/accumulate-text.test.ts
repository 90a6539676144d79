import { expect, test } from 'bun:test'
import type { TextChoice, TextCompletion } from '../kit/provider/openai.ts'
import { createTextAccumulator } from './accumulate-text.ts'

const piece = (choices: readonly TextChoice[], more: Partial<TextCompletion> = {}): TextCompletion => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: 'm',
  choices,
  ...more,
})

const choice = (index: number, text: string, more: Partial<TextChoice> = {}): TextChoice => ({
  text,
  index,
  logprobs: null,
  finish_reason: null,
  ...more,
})

test('texts are joined by choice, and the choices come in order', () => {
  const sum = createTextAccumulator()
  sum.add(piece([choice(1, 'b')], { system_fingerprint: 'fp' }))
  sum.add(piece([choice(0, 'a'), choice(1, 'c', { finish_reason: 'length' })], { created: 2 }))
  sum.add(piece([choice(0, '', { finish_reason: 'stop' })]))
  const usage = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 }
  sum.add(piece([], { usage }))
  expect(sum.whole()).toEqual({
    ...piece([choice(0, 'a', { finish_reason: 'stop' }), choice(1, 'bc', { finish_reason: 'length' })]),
    system_fingerprint: 'fp',
    usage,
  })
})

test('log probabilities are appended, list by list', () => {
  const sum = createTextAccumulator()
  sum.add(piece([choice(0, 'a', { logprobs: { tokens: ['a'], token_logprobs: [-1], text_offset: [0] } })]))
  sum.add(piece([choice(0, 'b', { logprobs: { tokens: ['b'], token_logprobs: [-2], text_offset: [1] } })]))
  sum.add(piece([choice(0, '', { finish_reason: 'stop' })]))
  expect(sum.whole().choices[0]?.logprobs).toEqual({
    tokens: ['a', 'b'],
    token_logprobs: [-1, -2],
    text_offset: [0, 1],
  })
})

test('without pieces there is nothing', () => {
  expect(() => createTextAccumulator().whole()).toThrow('without pieces')
})
