import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fromReader, nextPiece } from '../core/bodies/ready-stream.ts'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { type BodySource, UpstreamBody } from './upstream-body.ts'
import { type LimitName, Watchdog } from './watchdog.ts'

let expired: LimitName[]
let ends: number
let givenUp: number
let watchdog: Watchdog
beforeEach(() => {
  expired = []
  ends = 0
  givenUp = 0
  watchdog = new Watchdog(
    () => performance.now(),
    (passed) => expired.push(passed),
  )
})
afterEach(() => watchdog.stop())

/** What the next read gives: a piece, the end, or the error it throws. */
type Step = string | undefined | Error | Promise<never>

/** Steps that come one read after the other; `here` of them can be taken without a wait. */
const source = (steps: Step[], here = 0): BodySource => {
  let taken = 0
  const next = async (): Promise<Uint8Array | undefined> => {
    const step = await steps.shift()
    if (step instanceof Error) throw step
    return step === undefined ? undefined : new TextEncoder().encode(step)
  }
  const cancel = (): void => {
    givenUp++
  }
  const later = fromReader({ read: next, cancel })
  return {
    take() {
      const [step] = steps
      if (taken === here || typeof step !== 'string') return later.take()
      taken++
      void steps.shift()
      return new TextEncoder().encode(step)
    },
    get over() {
      return here > 0 && steps.length === 0
    },
    whenReady: (listener) => later.whenReady(listener),
    cancel,
  }
}
const bodyOf = (from: BodySource, idleMs = 5_000): UpstreamBody =>
  new UpstreamBody(from, {
    deadlines: { idleMs },
    watchdog,
    explain: (thrown) => new UpstreamUnreachable('explained', { cause: thrown }),
    onEnd: () => ends++,
  })
const read = async (body: UpstreamBody): Promise<string | undefined> => {
  const bytes = await nextPiece(body)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

describe('the body of a provider', () => {
  test('is read piece by piece, ends once, and stays at its end', async () => {
    const body = bodyOf(source(['a', 'b']))
    expect([await read(body), await read(body), await read(body), await read(body)]).toEqual([
      'a',
      'b',
      undefined,
      undefined,
    ])
    expect([ends, givenUp]).toEqual([1, 0])
  })

  test('may be missing', async () => {
    expect(await read(bodyOf(source([])))).toBeUndefined()
    expect(ends).toBe(1)
  })

  test('that is here as a whole ends with its last piece: nothing can come too late any more', async () => {
    const body = bodyOf(source(['a', 'b'], 2))
    expect([await read(body), ends]).toEqual(['a', 0])
    expect([await read(body), ends]).toEqual(['b', 1])
    expect([await read(body), ends]).toEqual([undefined, 1])
  })

  test('that breaks is explained, and ends', async () => {
    const body = bodyOf(source([new Error('ECONNRESET')]))
    await expect(nextPiece(body)).rejects.toThrow('explained')
    expect(ends).toBe(1)
    expect(await read(body)).toBeUndefined()
  })

  test('that is cancelled breaks its connection, once', async () => {
    const body = bodyOf(source(['a', 'b']))
    await read(body)
    body.cancel()
    body.cancel()
    expect([ends, givenUp]).toEqual([1, 1])
    expect(await read(body)).toBeUndefined()
  })

  test('that has ended is not broken any more: its connection is somebody else’s', async () => {
    const body = bodyOf(source([]))
    await read(body)
    body.cancel()
    expect([ends, givenUp]).toEqual([1, 0])
  })

  test('has a deadline only while somebody waits for it', async () => {
    const body = bodyOf(source(['a']), 20)
    await read(body)
    await Bun.sleep(60)
    expect(expired).toEqual([])
    const silent = bodyOf(source([new Promise(() => undefined)]), 20)
    nextPiece(silent).catch(() => undefined)
    await Bun.sleep(60)
    expect(expired).toEqual(['idle'])
  })
})
