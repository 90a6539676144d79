import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HookResults } from '../../../src/core/guardrails.ts'
import { defineCheck, t } from '../../../src/kit/index.ts'
import { chat, startWorld, type World } from './support/world.ts'

/** Stands in what is asked; must never be in a row or in the log. */
const CANARY = 'canary-4929'

const checks = [
  defineCheck({
    id: 'test.quotes',
    summary: 'Passes unless a text has the word, and repeats all that it sees.',
    parameters: t.Object({ word: t.String() }),
    stages: ['input', 'output'],
    run: ({ texts }, { word }) => ({
      verdict: !texts.some((text) => text.includes(word)),
      data: { seen: texts },
      log: texts.join(' '),
    }),
  }),
  defineCheck({
    id: 'test.breaks',
    summary: 'Never can tell.',
    parameters: t.Object({}),
    stages: ['input'],
    run: ({ texts }) => JSON.parse(texts.join('')),
  }),
]

let world: World
beforeAll(async () => {
  world = await startWorld({ checks, deps: { bodyRules: { of: () => ({ bodies: 'all' }) } } })
})
afterAll(() => world.close())

const ask = (config: object) =>
  world.ask('/v1/chat/completions', chat({ messages: [{ role: 'user', content: `my card is ${CANARY}` }] }), {
    'x-gateway-config': JSON.stringify(config),
  })

const quotes = (word: string, more: object = {}) => ({ 'test.quotes': { word }, ...more })

/** What was sealed of the guardrails of a record. */
const said = (id: string): HookResults => {
  const message = world.recorder.messages.flatMap((kept) => kept.get(id) ?? []).find(({ side }) => side === 'hooks')
  return JSON.parse(Buffer.from(message?.body ?? []).toString())
}

const lineOf = async (id: string) => world.gateway.record((line) => line.id === id)

describe('what guardrails came to', () => {
  test('is in the record, also of a call that they refused', async () => {
    const { response, record } = await ask({
      provider: 'openai',
      input_guardrails: [quotes('card', { name: 'No cards', deny: true, on_fail: { feedback: { value: -3 } } })],
    })
    expect(response.status).toBe(446)
    expect(record).toMatchObject({ status: 446, attempts: 0, errorCode: 'guardrail_denied' })
    expect(record.hookResults).toEqual({
      before_request_hooks: [
        {
          id: 'input_guardrails[0]',
          name: 'No cards',
          type: 'guardrail',
          verdict: false,
          transformed: false,
          deny: true,
          async: false,
          execution_time: expect.any(Number),
          created_at: expect.stringMatching(/Z$/),
          feedback: {
            value: -3,
            weight: 1,
            metadata: { successfulChecks: '', failedChecks: 'test.quotes', erroredChecks: '' },
          },
          checks: [
            {
              id: 'test.quotes',
              verdict: false,
              transformed: false,
              execution_time: expect.any(Number),
              created_at: expect.stringMatching(/Z$/),
            },
          ],
        },
      ],
      after_request_hooks: [],
    })
    expect((await lineOf(record.id)).failed_guardrails).toEqual(['No cards'])
  })

  test('is absent where none has run', async () => {
    const { record } = await ask({ provider: 'openai' })
    expect(record.hookResults).toBeUndefined()
    expect(await lineOf(record.id)).toMatchObject({ failed_guardrails: undefined })
  })

  test('is in the record of each target', async () => {
    const { response, record, attempts } = await ask({
      strategy: { mode: 'fallback', on_status_codes: [446] },
      output_guardrails: [quotes('never')],
      targets: [
        { provider: 'openai', input_guardrails: [quotes('card', { id: 'first', deny: true })] },
        { provider: 'mock', input_guardrails: [quotes('never', { id: 'second' })] },
      ],
    })
    expect(response.status).toBe(200)
    const passed = {
      before_request_hooks: [{ id: 'second', verdict: true }],
      after_request_hooks: [{ id: 'output_guardrails[0]', verdict: true }],
    }
    expect(record.hookResults).toMatchObject(passed)
    expect(attempts.map(({ status }) => status)).toEqual([446, 200])
    expect(attempts[0]?.hookResults).toMatchObject({
      before_request_hooks: [{ id: 'first', verdict: false }],
      after_request_hooks: [],
    })
    expect(attempts[1]?.hookResults).toMatchObject(passed)
    expect(said(attempts[0]?.id ?? '').before_request_hooks).toMatchObject([{ id: 'first', verdict: false }])
    expect(said(record.id).before_request_hooks).toMatchObject([{ id: 'second', verdict: true }])
  })
})

describe('words of the call that a check repeats', () => {
  test('are with the sealed messages, and neither in the row nor in the line', async () => {
    const { record } = await ask({
      provider: 'openai',
      input_guardrails: [quotes('card', { 'test.breaks': {} })],
    })
    expect(record.status).toBe(246)
    const [hook] = record.hookResults?.before_request_hooks ?? []
    expect(hook?.checks.map(({ id, error }) => [id, error])).toEqual([
      ['test.quotes', undefined],
      ['test.breaks', { name: 'SyntaxError' }],
    ])
    for (const kept of [record, await lineOf(record.id)]) {
      expect(JSON.stringify(kept)).not.toContain(CANARY)
      // The parser says which word it did not expect.
      expect(JSON.stringify(kept)).not.toContain('JSON Parse error')
    }
    const [whole] = said(record.id).before_request_hooks
    expect(whole?.checks[0]).toMatchObject({ data: { seen: [`my card is ${CANARY}`] }, log: `my card is ${CANARY}` })
    expect(whole?.checks[1]?.error?.message).toContain('JSON Parse error')
  })
})
