import { describe, expect, test } from 'bun:test'
import { attempt } from '#calls/slots'
import { type Answer, type Call, nextPiece, type ReadyStream, UpstreamError } from '#kit'
import { target } from '#kit/slots'
import { CHAT, cacheWorld, completion, jsonAnswer, streamAnswer } from '../../../test/support/caching.ts'

const STREAM = { ...CHAT, stream: true }

/** A provider that answers when it is told to, one call after the other. */
const heldProvider = () => {
  const waiting: ((answer: Answer | Error) => void)[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  return {
    waiting,
    begun,
    answer: (call: Call): Promise<Answer> =>
      new Promise((resolve, reject) => {
        waiting.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
        call.signal.addEventListener('abort', () => reject(call.signal.reason))
        begin()
      }),
  }
}

/** Lets everything go on that can. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

const contentOf = (text: string): string => JSON.parse(text).choices[0].message.content

describe('calls that ask for the same at once', () => {
  test('are one call to the provider', async () => {
    const world = await cacheWorld()
    const { answer, waiting, begun } = heldProvider()
    const calls = Array.from({ length: 20 }, () => world.ask({ provider: answer }))
    await begun
    await settled()
    expect(waiting).toHaveLength(1)
    waiting[0]?.(jsonAnswer(completion('one')))
    // An answer is whole for the others once it is whole for the one that went ahead.
    const first = await calls[0]
    const texts = [await first?.text(), ...(await Promise.all(calls.slice(1).map(async (call) => (await call).text())))]
    expect(texts.map((text) => contentOf(text ?? ''))).toEqual(texts.map(() => 'one'))
    const statuses = await Promise.all(calls.map(async (call) => (await call).status))
    expect([statuses[0], new Set(statuses.slice(1)), world.asked()]).toEqual(['MISS', new Set(['HIT']), 1])
  })

  test('share a stream when it has ended, each in its own form', async () => {
    const world = await cacheWorld()
    const leader = await world.ask({ body: STREAM, provider: () => streamAnswer(['Hel', 'lo']) })
    const plain = world.ask()
    const streamed = world.ask({ body: STREAM })
    await settled()
    expect(world.asked()).toBe(1)
    await leader.text()
    expect(contentOf(await (await plain).text())).toBe('Hello')
    expect(await (await streamed).text()).toEndWith('data: [DONE]\n\n')
    expect(world.asked()).toBe(1)
  })

  test('go on alone when the first one fails', async () => {
    const world = await cacheWorld()
    const { answer, waiting, begun } = heldProvider()
    const calls = Array.from({ length: 4 }, () => world.ask({ provider: answer }))
    const first = calls[0]?.catch((error: unknown) => error)
    await begun
    await settled()
    waiting[0]?.(new UpstreamError('busy', { status: 503 }))
    expect(await first).toMatchObject({ status: 503 })
    await settled()
    expect(waiting).toHaveLength(4)
    for (const tell of waiting.slice(1)) tell(jsonAnswer())
    expect((await Promise.all(calls.slice(1))).map(({ status }) => status)).toEqual(['MISS', 'MISS', 'MISS'])
  })

  test('go on alone at once when the answer is none to keep', async () => {
    const world = await cacheWorld({ maxEntryBytes: 1_024 })
    const { answer, waiting, begun } = heldProvider()
    const calls = Array.from({ length: 3 }, () => world.ask({ provider: answer }))
    await begun
    await settled()
    waiting[0]?.(jsonAnswer(completion('x'.repeat(5_000))))
    await calls[0]
    await settled()
    expect(waiting).toHaveLength(3)
    for (const tell of waiting.slice(1)) tell(jsonAnswer())
    await Promise.all(calls)
  })

  test('do not fail when the client of the first one leaves: one of them goes ahead', async () => {
    const world = await cacheWorld()
    const { answer, waiting, begun } = heldProvider()
    const leaving = new AbortController()
    const first = world.ask({ provider: answer, signal: leaving.signal }).catch((error: unknown) => error)
    const others = Array.from({ length: 5 }, () => world.ask({ provider: answer }))
    await begun
    await settled()
    const reason = new Error('the client left')
    leaving.abort(reason)
    expect(await first).toBe(reason)
    await settled()
    expect(waiting).toHaveLength(2)
    waiting[1]?.(jsonAnswer(completion('two')))
    await Promise.race(others)
    await settled()
    const leader = await others[0]
    await leader?.text()
    const replies = await Promise.all(others)
    expect(replies.map(({ status }) => status)).toEqual(['MISS', 'HIT', 'HIT', 'HIT', 'HIT'])
    expect(world.asked()).toBe(2)
  })

  test('do not fail when it leaves in the middle of a stream', async () => {
    const world = await cacheWorld()
    const leader = await world.ask({ body: STREAM, provider: () => streamAnswer(['Hel', 'lo']) })
    const other = world.ask({ body: STREAM })
    await nextPiece(leader.answer.body as ReadyStream)
    leader.call.finish('client_closed', 499)
    const reply = await other
    expect([reply.status, world.asked()]).toEqual(['MISS', 2])
    expect(await reply.text()).toContain('"Hi"')
  })

  test('wait no longer than they may, and what they waited is not there for the provider', async () => {
    const world = await cacheWorld({ waitMs: 20 })
    const { answer, begun } = heldProvider()
    void world.ask({ provider: answer })
    await begun
    const late = world.ask({ remainingMs: 10_000, to: { requestTimeoutMs: 8_000, firstTokenTimeoutMs: 6_000 } })
    await settled()
    world.host.advance(2_000)
    const { status, call } = await late
    expect([status, world.asked()]).toEqual(['MISS', 2])
    expect(call.get(attempt).deadlines.totalMs).toBe(8_000)
    expect(call.get(target)).toMatchObject({ requestTimeoutMs: 6_000, firstTokenTimeoutMs: 4_000 })
  })

  test('wait for half of their own time at most', async () => {
    const world = await cacheWorld({ waitMs: 60_000 })
    const { answer, begun } = heldProvider()
    void world.ask({ provider: answer })
    await begun
    const limits = [{ remainingMs: 40 }, { to: { requestTimeoutMs: 40 } }, { to: { firstTokenTimeoutMs: 40 } }]
    const replies = await Promise.all(limits.map((limit) => world.ask(limit)))
    expect(replies.map(({ status }) => status)).toEqual(['MISS', 'MISS', 'MISS'])
  })

  test('stop waiting when their own client leaves', async () => {
    const world = await cacheWorld()
    const { answer, begun } = heldProvider()
    void world.ask({ provider: answer })
    await begun
    const leaving = new AbortController()
    const waiting = world.ask({ signal: leaving.signal }).catch((error: unknown) => error)
    await settled()
    const reason = new Error('the client left')
    leaving.abort(reason)
    expect([await waiting, world.asked()]).toEqual([reason, 1])
  })
})
