import { describe, expect, test } from 'bun:test'
import { clip, openaiFailure } from './failure.ts'

const none = { type: null, param: null, code: null }

describe('openaiFailure', () => {
  test.each<[string, unknown, object]>([
    [
      'envelope',
      { error: { message: 'm', type: 't', param: 'p', code: 7 } },
      { message: 'm', type: 't', param: 'p', code: '7' },
    ],
    ['envelope in a list', [{ error: { message: 'm', code: 400 } }], { ...none, message: 'm', code: '400' }],
    ['error as text', { error: 'gone', code: 'x' }, { ...none, message: 'gone', code: 'x' }],
    ['bare', { message: 'm', type: 't', param: 'p', code: 'c' }, { message: 'm', type: 't', param: 'p', code: 'c' }],
    ['detail', { detail: 'Not Found' }, { ...none, message: 'Not Found' }],
    [
      'violations',
      { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'bad' }, { msg: 'worse' }, 'noise', null] },
      { ...none, message: 'messages.0.role: bad; worse', param: 'messages.0.role' },
    ],
    ['detail with an error', { detail: { error: 'no such model' } }, { ...none, message: 'no such model' }],
    ['detail with a message', { detail: { message: 'busy' } }, { ...none, message: 'busy' }],
    ['detail without words', { detail: { hint: 1 } }, { ...none, message: '{"detail":{"hint":1}}' }],
    ['violations that say nothing', { detail: [{}] }, { ...none, message: '{"detail":[{}]}' }],
    ['violations inside message', { message: { detail: [{ msg: 'bad' }] } }, { ...none, message: 'bad' }],
    ['object without words', { error: { hint: 1 } }, { ...none, message: '{"hint":1}' }],
    ['text', ' Too many requests ', { message: 'Too many requests' }],
    ['nothing', undefined, { message: 'The provider answered with status 500 and no message.' }],
    ['empty list', [], { message: 'The provider answered with status 500 and no message.' }],
    [
      'empty message',
      { error: { message: ' ' } },
      { ...none, message: 'The provider answered with status 500 and no message.' },
    ],
  ])('%s', (_name, body, failure) => {
    expect<unknown>(openaiFailure(500, body)).toEqual(failure)
  })

  test('an error nested deeper than the stack is no crash', () => {
    let deep: unknown = 1
    for (let level = 0; level < 1_000_000; level++) deep = [deep]
    expect(openaiFailure(500, { error: { hint: deep } }).message).toContain('no message')
    // Running out of stack takes seconds on a busy machine.
  }, 30_000)
})

test('a page is cut', () => {
  expect(clip('x'.repeat(2001), 502)).toBe(`${'x'.repeat(2000)}…`)
  expect(clip('x'.repeat(2000), 502)).toBe('x'.repeat(2000))
})
