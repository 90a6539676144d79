import { describe, expect, jest, test } from 'bun:test'
import { type Answer, isReadyStream, nextPiece, type ReadyStream, UpstreamError } from '#kit'
import { good, streamOf } from '../../../test/support/routing.ts'
import { beginInTime } from './held-stream.ts'

const COMMENT = ': keep-alive\n\n'
const BROKEN = new UpstreamError('broken')
const never = (): void => expect.unreachable('the answer came in time')

const streamed = (body: ReadyStream): Answer => ({ ...good(), body })

const next = async ({ body }: Answer): Promise<string | undefined> => {
  if (!isReadyStream(body)) throw new Error('no stream')
  const piece = await nextPiece(body)
  return piece === undefined ? undefined : new TextDecoder().decode(piece)
}

/** An answer that has not come when the patience is over. */
const held = async (onHeld: () => void = () => undefined) => {
  const later = Promise.withResolvers<Answer>()
  return { later, answer: await beginInTime(later.promise, 1, onHeld) }
}

describe('an answer in time', () => {
  test('is handed on as it is, and its failure keeps its status; no timer is left', async () => {
    const clear = jest.spyOn(globalThis, 'clearTimeout')
    const answer = good()
    expect(await beginInTime(Promise.resolve(answer), 60_000, never)).toBe(answer)
    await expect(beginInTime(Promise.reject(BROKEN), 60_000, never)).rejects.toBe(BROKEN)
    expect(clear).toHaveBeenCalledTimes(2)
    clear.mockRestore()
  })
})

describe('an answer that takes longer than the patience', () => {
  test('begins with a comment at once, so that the head goes out', async () => {
    let named = 0
    const { answer, later } = await held(() => named++)
    expect([answer.status, answer.headers.get('content-type'), named]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      1,
    ])
    expect(await next(answer)).toBe(COMMENT)
    const piece = next(answer)
    later.resolve(streamed(streamOf(['a', 'b'])))
    expect([await piece, await next(answer), await next(answer)]).toEqual(['a', 'b', undefined])
  })

  test('may come before anybody reads, and in one piece', async () => {
    const { answer, later } = await held()
    later.resolve(good('whole'))
    await later.promise
    expect([await next(answer), await next(answer), await next(answer)]).toEqual([COMMENT, 'whole', undefined])
  })

  test.each(['before', 'after'])('tells its failure where it comes %s it is waited for', async (when) => {
    const { answer, later } = await held()
    await next(answer)
    if (when === 'before') later.reject(BROKEN)
    const piece = next(answer)
    later.reject(BROKEN)
    await expect(piece).rejects.toBe(BROKEN)
  })

  test('is given up when the client leaves, also while it is on its way', async () => {
    for (const isHere of [true, false]) {
      const { answer, later } = await held()
      const stream = streamOf(['a'])
      if (isHere) later.resolve(streamed(stream))
      await Promise.resolve()
      if (isReadyStream(answer.body)) answer.body.cancel()
      later.resolve(streamed(stream))
      await Bun.sleep(0)
      expect(stream.cancelled).toBe(true)
    }
  })
})
