import { describe, expect, test } from 'bun:test'
import type { AdapterContext } from './provider.ts'
import { messagesParams, type SealedThinking, sealThinking, unsealThinking } from './sealed-thinking.ts'

describe('sealed thinking', () => {
  const sealed: SealedThinking = {
    by: 'acme',
    text: 'Hm: ä',
    rest: { signature: 's' },
    details: [{ type: 'reasoning.text' }],
    call: { acme: 1 },
  }

  test('is opened as it was', () => {
    expect(unsealThinking(sealThinking(sealed))).toEqual(sealed)
  })

  test.each([
    [undefined],
    ['EqQBCgIYAhIM1gbcDa9GJwZA2b3h'],
    [sealThinking(sealed).slice(0, 20)],
    [sealThinking({} as never)],
    [sealThinking({ by: 'acme', text: 1 } as never)],
    [sealThinking({ by: 'acme', rest: 'x' } as never)],
    [sealThinking({ by: 'acme', details: {} } as never)],
    [sealThinking([] as never)],
  ])('%p is none', (text) => {
    expect(unsealThinking(text)).toBeUndefined()
  })
})

test('a provider that checks signatures gets none of ours, and else the very list', () => {
  const dropped: string[] = []
  const rule = messagesParams.messages
  if (typeof rule !== 'function') throw new Error('no rule')
  const kept = (messages: readonly unknown[]) =>
    rule(messages as never, {} as never, {} as AdapterContext, (part) => dropped.push(part))?.messages
  const own = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'EqQB' }] },
  ]
  expect(kept(own)).toBe(own)
  expect(dropped).toEqual([])
  const seal = sealThinking({ by: 'acme' })
  const foreign = {
    role: 'assistant',
    content: [
      { type: 'redacted_thinking', data: seal },
      { type: 'text', text: 'A' },
    ],
  }
  expect(kept([...own, foreign])).toEqual([...own, { role: 'assistant', content: [{ type: 'text', text: 'A' }] }])
  expect(dropped).toEqual(['messages[].content[].thinking'])
})
