import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { decodeFrame, SseFramer } from '../../../src/core/bodies/sse.ts'
import { CARD, seen, streamChecks } from './support/stream-checks.ts'
import { type GuardedWorld, guardedWorld, guardrail, hooksOf, type Reply } from './support/world.ts'

const LONG = 'All of this is said one word after the other. '.repeat(20)

let world: GuardedWorld

beforeAll(async () => {
  world = await guardedWorld(streamChecks)
})
afterAll(() => world.close())
beforeEach(() => {
  seen.length = 0
})

const hold = (...[checks, more]: Parameters<typeof guardrail>): void =>
  world.hold({ slug: 'pg-out', on: 'output', definition: guardrail(checks, { stream_mode: 'window', ...more }) })

const stream = (text: string, more = {}, headers = {}): Promise<Reply> =>
  world.chat(text, { stream: true, ...more }, headers)

interface Chunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[]
  readonly error?: { readonly type: string; readonly message: string }
  readonly hook_results?: Record<string, unknown>
}

const chunksOf = ({ text }: Reply): readonly (Chunk | '[DONE]')[] =>
  new SseFramer().push(new TextEncoder().encode(text)).flatMap((frame) => {
    const data = decodeFrame(frame)?.data
    return data === undefined ? [] : data === '[DONE]' ? data : (JSON.parse(data) as Chunk)
  })

const said = (reply: Reply): string =>
  chunksOf(reply)
    .flatMap((chunk) => (chunk === '[DONE]' ? [] : (chunk.choices ?? [])))
    .map(({ delta }) => delta.content ?? '')
    .join('')

const finishOf = (reply: Reply): (string | null)[] =>
  chunksOf(reply)
    .flatMap((chunk) => (chunk === '[DONE]' ? [] : (chunk.choices ?? [])))
    .map(({ finish_reason: reason }) => reason)
    .filter((reason) => reason !== null)

describe('a window', () => {
  test('lets a stream out as it came where nothing is to be changed', async () => {
    world.hold()
    const plain = await stream(LONG)
    hold([{ id: 'test.redactsCards' }, { id: 'test.forbids', parameters: { word: 'never' } }], { deny: true })
    const guarded = await stream(LONG)
    expect([guarded.status, said(guarded)]).toEqual([200, said(plain)])
    expect(chunksOf(guarded).length).toBe(chunksOf(plain).length)
    expect(chunksOf(guarded).at(-1)).toBe('[DONE]')
  })

  test.each(['', LONG])('changes what a check changes, behind %j', async (before) => {
    hold([{ id: 'test.redactsCards' }])
    const reply = await stream(`${before}My card is ${CARD}, you know. ${before}`)
    expect(said(reply)).toBe(`Mock answer to: ${before}My card is [CARD], you know. ${before}`)
    expect(reply.text).not.toContain('1111')
    expect(finishOf(reply)).toEqual(['stop'])
  })

  test('refuses with a status what it refuses before the first text went out', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }], { deny: true })
    const reply = await stream('a secret')
    expect(reply.status).toBe(446)
    expect(reply.body.error).toMatchObject({ type: 'hooks_failed' })
    expect(hooksOf(reply).after_request_hooks).toMatchObject([
      { id: 'pg-out', verdict: false, checks: [{ id: 'test.forbids', verdict: false }] },
    ])
  })

  test('refuses with an event what it refuses later, and ends the answer', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }], { deny: true })
    const reply = await stream(`${LONG}a secret. ${LONG}`)
    expect(reply.status).toBe(200)
    const text = said(reply)
    expect(`Mock answer to: ${LONG}`.startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(LONG.length / 2)
    expect(finishOf(reply)).toEqual(['content_filter'])
    expect(chunksOf(reply).at(-1)).toMatchObject({ error: { type: 'hooks_failed' } })
    const record = await world.running.record(({ outcome }) => outcome === 'truncated')
    expect(record).toMatchObject({ status: 200 })
  })

  test('ends properly where the refusal is to be a soft one', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }], { deny: true, soft_deny_200: true })
    const early = await stream('a secret')
    expect([early.status, finishOf(early), chunksOf(early).at(-1)]).toEqual([200, ['stop'], '[DONE]'])
    expect(said(early)).toContain('pg-out')
    const late = await stream(`${LONG}a secret. ${LONG}`)
    expect([late.status, finishOf(late), chunksOf(late).at(-1)]).toEqual([200, ['content_filter'], '[DONE]'])
    expect(late.text).not.toContain('secret')
  })

  test('lets pass what fails without denying, and what cannot be told', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }, { id: 'test.breaks' }])
    const reply = await stream(`${LONG}a secret. ${LONG}`, {}, { 'x-gateway-strict-open-ai-compliance': 'false' })
    expect([reply.status, said(reply)]).toEqual([200, `Mock answer to: ${LONG}a secret. ${LONG}`])
    expect(chunksOf(reply).at(-1)).toMatchObject({
      hook_results: {
        after_request_hooks: [
          {
            id: 'pg-out',
            verdict: false,
            checks: [
              { id: 'test.forbids', verdict: false, data: { word: 'secret' } },
              { id: 'test.breaks', verdict: true, error: { message: 'out of order' } },
            ],
          },
        ],
      },
    })
    expect(chunksOf(reply).at(-2)).toBe('[DONE]')
  })

  test('holds the end back for checks that need all of the text', async () => {
    hold([{ id: 'test.isShort', parameters: { most: 500 } }, { id: 'test.redactsCards' }], { deny: true })
    const short = await stream('short')
    expect([short.status, said(short)]).toEqual([200, 'Mock answer to: short'])
    const long = await stream(LONG)
    expect([long.status, finishOf(long)]).toEqual([200, ['content_filter']])
    expect(said(long).length).toBeLessThan(LONG.length)
    hold([{ id: 'test.signs' }])
    expect(said(await stream(LONG))).toBe(`Mock answer to: ${LONG} (signed)`)
  })

  test('is for calls with several choices, too', async () => {
    hold([{ id: 'test.redactsCards' }])
    const reply = await stream(`${LONG} ${CARD} ${LONG}`, { n: 3 })
    expect(reply.text).not.toContain('1111')
    expect(said(reply).split('[CARD]')).toHaveLength(4)
  })
})

describe('a buffer', () => {
  test('holds all of it back, for the status of a refusal', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }], { deny: true, stream_mode: 'buffer' })
    const refused = await stream(`${LONG}a secret. ${LONG}`)
    expect([refused.status, refused.text.includes('one word')]).toEqual([446, false])
    hold([{ id: 'test.forbids', parameters: { word: 'secret' } }], { stream_mode: 'buffer' })
    const failed = await stream(`${LONG}a secret. ${LONG}`)
    expect([failed.status, said(failed)]).toEqual([246, `Mock answer to: ${LONG}a secret. ${LONG}`])
  })

  test('changes what is to be changed', async () => {
    hold([{ id: 'test.redactsCards' }, { id: 'test.signs' }], { stream_mode: 'buffer' })
    const reply = await stream(`${LONG}${CARD} ${LONG}${CARD}`)
    expect(said(reply)).toBe(`Mock answer to: ${LONG}[CARD] ${LONG}[CARD] (signed)`)
  })
})

describe('afterwards', () => {
  const LOOSE = { 'x-gateway-strict-open-ai-compliance': 'false' }

  test('a guardrail sees all of the text, and refuses nothing any more', async () => {
    hold([{ id: 'test.sees' }, { id: 'test.forbids', parameters: { word: 'secret' } }], {
      deny: true,
      stream_mode: 'after',
    })
    const reply = await stream(`${LONG}a secret`)
    expect([reply.status, said(reply), chunksOf(reply).at(-1)]).toEqual([
      200,
      `Mock answer to: ${LONG}a secret`,
      '[DONE]',
    ])
    expect(seen.map(({ texts, isStreamed }) => [texts, isStreamed])).toEqual([
      [[`Mock answer to: ${LONG}a secret`], true],
    ])
  })

  test('what it came to stands behind the end, and what others came to before in the first event', async () => {
    world.hold(
      { slug: 'pg-in', on: 'input', definition: guardrail([{ id: 'test.sees' }]) },
      { slug: 'pg-out', on: 'output', definition: guardrail([{ id: 'test.forbids', parameters: { word: 'a' } }]) },
    )
    const chunks = chunksOf(await stream('a', {}, LOOSE))
    expect(chunks[0]).toMatchObject({ hook_results: { before_request_hooks: [{ id: 'pg-in', verdict: true }] } })
    expect(chunks.slice(-2)).toMatchObject([
      '[DONE]',
      { hook_results: { after_request_hooks: [{ id: 'pg-out', verdict: false }] } },
    ])
    expect((await stream('a')).text).not.toContain('hook_results')
  })

  test('one that is not waited for is told of, too', async () => {
    hold([{ id: 'test.forbids', parameters: { word: 'a' } }], { deny: true, async: true })
    const chunks = chunksOf(await stream('a', {}, LOOSE))
    expect(chunks.at(-1)).toMatchObject({ hook_results: { after_request_hooks: [{ async: true, verdict: false }] } })
  })
})
