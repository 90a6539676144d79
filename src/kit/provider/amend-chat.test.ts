import { describe, expect, test } from 'bun:test'
import { amendChat } from './amend-chat.ts'
import type { AdapterContext } from './provider.ts'

const context: AdapterContext = {
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const counted = (usage: object): unknown =>
  amendChat({ reasoningBeside: true }, 'acme')(context).amend({ choices: [], usage }).usage

describe('reasoning that is counted beside the answer', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 20 }

  test('becomes a part of it, where the sum of the host says that it is none', () => {
    const completion_tokens_details = { reasoning_tokens: 6 }
    expect(counted({ ...usage, completion_tokens_details })).toEqual({
      ...usage,
      completion_tokens: 10,
      completion_tokens_details,
    })
  })

  test.each<[object]>([
    [{ ...usage, total_tokens: 14, completion_tokens_details: { reasoning_tokens: 2 } }],
    [{ ...usage, completion_tokens_details: { reasoning_tokens: 0 } }],
    [{ ...usage, completion_tokens_details: { reasoning_tokens: 'six' } }],
    [{ ...usage, completion_tokens_details: null }],
    [usage],
  ])('stays as it is: %j', (said) => expect(counted(said)).toBe(said))
})

describe('an empty finish reason', () => {
  const finish = (choice: object): unknown => {
    const { choices } = amendChat({ finishReasons: {} }, 'acme')(context).amend({ choices: [choice] })
    return (choices as readonly { finish_reason: unknown }[])[0]?.finish_reason
  }

  test('of a piece says nothing yet', () => expect(finish({ delta: { content: 'a' }, finish_reason: '' })).toBe(null))
  test('of an answer with calls is theirs', () =>
    expect(finish({ message: { tool_calls: [{ id: 'c' }] }, finish_reason: '' })).toBe('tool_calls'))
  test('of another answer is its end', () => expect(finish({ message: {}, finish_reason: '' })).toBe('stop'))
})
