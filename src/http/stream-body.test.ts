import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { eventually, openWire, type Wire } from '../../test/e2e/faults/support/wire.ts'
import { endpoint } from '../../test/support/endpoints.ts'
import { WholeBody } from '../core/bodies/body.ts'
import { fromPieces, fromReader, LATER, nextPiece, type ReadyStream, type Taken } from '../core/bodies/ready-stream.ts'
import { decodeFrame, KEEP_ALIVE_COMMENT, SseFramer } from '../core/bodies/sse.ts'
import { Call } from '../core/call.ts'
import { Cancellation } from '../core/cancellation.ts'
import type { Finish } from '../core/finish.ts'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { streamBody } from './stream-body.ts'

const COMMENT = new TextDecoder().decode(KEEP_ALIVE_COMMENT)
/** More than what fits into the buffers of a connection; capitals, so that no framing can be taken for them. */
const FLOOD = Array.from({ length: 500 }, (_, index) => new Uint8Array(64 * 1024).fill(65 + (index % 26)))
/** What a client that reads nothing may cause to be read: the system alone keeps some MiB for a connection. */
const MAX_PIECES_AHEAD = 250

/** A provider of which the test says what comes when. */
class Provider implements ReadyStream {
  readonly #here: (Uint8Array | undefined | Error)[] = []
  #listener: (() => void) | undefined
  taken = 0
  cancels = 0

  take(): Taken {
    if (this.#here.length === 0) return LATER
    this.taken++
    const next = this.#here.shift()
    if (next instanceof Error) throw next
    return next
  }
  whenReady(listener: () => void): void {
    this.#listener = listener
  }
  cancel(): void {
    this.cancels++
  }

  /** The door waits for what comes. */
  get isAsked(): boolean {
    return this.#listener !== undefined
  }

  send(...coming: (Uint8Array | string | undefined | Error)[]): void {
    for (const each of coming) this.#here.push(typeof each === 'string' ? new TextEncoder().encode(each) : each)
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}

let provider: Provider
let finishes: Finish[]
let aborts: number
/** How the server of the test answers. */
let verbatim: boolean
let opaque: boolean
let source: ReadyStream
let keepAliveMs: number
/** What the disk owes the call. */
let durable: () => Promise<void> | undefined
let server: Bun.Server<undefined>
beforeEach(() => {
  provider = new Provider()
  source = provider
  finishes = []
  aborts = 0
  verbatim = false
  opaque = false
  keepAliveMs = 0
  durable = () => undefined
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const lifeline = { abort: () => aborts++, keepAliveMs, durable }
      return new Response(streamBody(createCall(), { source, status: 200, verbatim, opaque }, lifeline))
    },
  })
})
afterEach(() => server.stop(true))

const createCall = (): Call => {
  const call = new Call({
    id: 'call-1',
    endpoint: endpoint('chat'),
    route: '/',
    request: {
      method: 'GET',
      path: '/',
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers: new Headers(),
      body: new WholeBody(new Uint8Array(0)),
    },
    cancellation: new Cancellation(),
    now: () => 0,
    onListenerError: (thrown) => {
      throw thrown
    },
  })
  call.onFinish((finish) => finishes.push(finish))
  return call
}

const ask = (): Promise<Response> => fetch(server.url)
const openRequest = async (): Promise<Wire> => {
  const wire = await openWire(server.port ?? 0)
  wire.write('GET / HTTP/1.1\r\nhost: weir.test\r\n\r\n')
  return wire
}
/** A client that has read the first piece, and then reads nothing more. */
const stall = async (): Promise<Wire> => {
  const wire = await openRequest()
  provider.send('begun')
  await wire.until((received) => received.includes('begun'))
  wire.socket.pause()
  return wire
}
/** Sends more than a stalled client lets through, and waits until nothing more of it is taken. */
const floodUntilStill = async (): Promise<void> => {
  provider.send(...FLOOD, undefined)
  for (let before = -1; before !== provider.taken; ) {
    before = provider.taken
    await Bun.sleep(20)
  }
}
const sha = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const eventsOf = (stream: string): unknown[] =>
  new SseFramer().push(Buffer.from(stream)).map((frame) => JSON.parse(decodeFrame(frame)?.data ?? 'null'))

describe('the record of a call', () => {
  /** The disk: takes its time until the test lets it. */
  const slowDisk = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    durable = () => promise
    return resolve
  }

  test('is made before the piece that ends it goes out', async () => {
    const synced = slowDisk()
    const wire = await openRequest()
    provider.send('begun')
    await wire.until((received) => received.includes('begun'))
    provider.send('more', 'the end', undefined)
    await wire.until((received) => received.includes('more'))
    await eventually(() => finishes.length === 1, 'the call ends')
    await Bun.sleep(20)
    expect(wire.received).not.toContain('the end')
    synced()
    await wire.until((received) => received.includes('the end'))
    expect(finishes[0]?.outcome).toBe('completed')
  })

  test('is made before the connection says that nothing follows, where the end comes by itself', async () => {
    const synced = slowDisk()
    const wire = await openRequest()
    provider.send('all of it')
    await wire.until((received) => received.includes('all of it'))
    provider.send(undefined)
    await eventually(() => finishes.length === 1, 'the call ends')
    await Bun.sleep(20)
    expect(wire.received).not.toContain('\r\n0\r\n')
    synced()
    await wire.until((received) => received.includes('\r\n0\r\n'))
  })

  test('is made before the event that tells of a failure, and what came before it is sent', async () => {
    const synced = slowDisk()
    const wire = await openRequest()
    provider.send('first', 'second', new UpstreamUnreachable('gone'))
    await wire.until((received) => received.includes('second'))
    await eventually(() => finishes.length === 1, 'the call ends')
    await Bun.sleep(20)
    expect(wire.received).not.toContain('gone')
    synced()
    await wire.until((received) => received.includes('gone'))
    expect(finishes[0]?.outcome).toBe('truncated')
  })

  test('holds nobody who has left meanwhile', async () => {
    const synced = slowDisk()
    const wire = await openRequest()
    provider.send('begun')
    await wire.until((received) => received.includes('begun'))
    provider.send('the end', undefined)
    await eventually(() => finishes.length === 1, 'the call ends')
    wire.leave()
    await eventually(() => aborts === 1, 'the call is given up')
    synced()
    await Bun.sleep(0)
    expect(finishes).toHaveLength(1)
  })
})

describe('an event stream', () => {
  test('arrives in order and whole, however it comes', async () => {
    const sizes = fc.oneof(fc.nat(100), fc.constantFrom(0, 1, 16_384, 65_536, 200_000))
    const steps = fc.array(fc.tuple(sizes, fc.boolean()), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (plan, isReady) => {
        provider = new Provider()
        finishes = []
        source = isReady ? provider : fromReader({ read: () => nextPiece(provider), cancel: () => provider.cancel() })
        const pieces = plan.map(([size], index) => new Uint8Array(size).fill(index + 1))
        const answer = ask().then((response) => response.bytes())
        for (const [index, [, isLater]] of plan.entries()) {
          if (isLater) await eventually(() => provider.isAsked, 'the door waits')
          provider.send(pieces[index])
        }
        provider.send(undefined)
        expect(sha(await answer)).toBe(sha(Buffer.concat(pieces)))
        expect(finishes).toMatchObject([{ outcome: 'completed', status: 200 }])
        expect([aborts, provider.cancels]).toEqual([0, 0])
      }),
      { numRuns: 40 },
    )
  })

  test('that is all here at once is sent on as a whole', async () => {
    const pieces = Array.from({ length: 5_000 }, (_, index) => `data: ${index}\n\n`)
    provider.send(...pieces, undefined)
    expect(await (await ask()).text()).toBe(pieces.join(''))
    expect(finishes).toMatchObject([{ outcome: 'completed', durations: { firstByteMs: 0 } }])
  })

  test('without a piece has no first byte', async () => {
    provider.send(undefined)
    expect(await (await ask()).text()).toBe('')
    expect(finishes).toMatchObject([{ outcome: 'completed', durations: { firstByteMs: undefined } }])
  })

  test('goes out piece by piece: nothing waits for more to come', async () => {
    const wire = await openRequest()
    for (const piece of ['one', 'two', 'three']) {
      provider.send(piece)
      await wire.until((received) => received.includes(piece))
      expect(finishes).toEqual([])
    }
    provider.send(undefined)
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    expect(finishes).toHaveLength(1)
    wire.leave()
  })

  test.each([
    ['before its first piece', [], false],
    ['with all that is here', ['data: 1\n\n'], false],
    ['while the client waits', ['data: 1\n\n'], true],
  ])('that breaks %s ends with one error event', async (_, before, isLater) => {
    const failure = new UpstreamUnreachable('Gone.')
    provider.send(...before, ...(isLater ? [] : [failure, 'data: 2\n\n']))
    const answer = ask().then((response) => response.text())
    if (isLater) {
      await eventually(() => provider.isAsked, 'the door waits')
      provider.send(failure, 'data: 2\n\n')
    }
    const [error, ...more] = eventsOf(await answer).slice(before.length)
    expect(error).toMatchObject({ error: { code: 'upstream_unreachable', message: 'Gone.' } })
    expect(more).toEqual([])
    expect(finishes).toMatchObject([{ outcome: 'truncated', status: 200, error: { code: 'upstream_unreachable' } }])
    expect([aborts, provider.cancels, provider.taken]).toEqual([0, 1, before.length + 1])
  })

  test('is not read far ahead of a client that is behind, and is whole once it reads', async () => {
    const wire = await stall()
    await floodUntilStill()
    expect(provider.taken).toBeLessThan(MAX_PIECES_AHEAD)
    expect(finishes).toEqual([])
    wire.socket.resume()
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    const body = wire.received.slice(wire.received.indexOf('begun')).replaceAll(/[^A-Z]+/g, '')
    expect(sha(Buffer.from(body))).toBe(sha(Buffer.concat(FLOOD)))
    expect(finishes).toMatchObject([{ outcome: 'completed' }])
    wire.leave()
  })
})

test.each(['at once', 'by a promise'])('a source that always has more, %s, leaves a turn to others', async (how) => {
  const piece = new Uint8Array(100)
  let taken = 0
  let isOver = false
  const next = (): Uint8Array | undefined => {
    taken++
    return isOver ? undefined : piece
  }
  source =
    how === 'at once'
      ? { take: next, whenReady: () => undefined, cancel: () => undefined }
      : fromReader({ read: async () => next(), cancel: () => undefined })
  const answer = ask().then((response) => response.bytes())
  const sentBefore: number[] = []
  while (sentBefore.length < 20) {
    await new Promise((resolve) => setImmediate(resolve))
    if (taken > 0) sentBefore.push(taken)
  }
  isOver = true
  expect((await answer).length).toBe((taken - 1) * piece.length)
  const turns = sentBefore.slice(1).map((count, index) => count - (sentBefore[index] ?? 0))
  expect(Math.max(...turns)).toBeLessThan(5_000)
})

describe('a client that leaves', () => {
  test.each([
    ['while it waits', async () => undefined],
    ['while it is behind', floodUntilStill],
  ])('%s takes its call along, once', async (_, happens) => {
    const wire = await stall()
    await happens()
    wire.leave()
    await eventually(() => aborts > 0, 'the call is given up')
    const { taken } = provider
    provider.send('too late', new Error('too late'), undefined)
    await Bun.sleep(20)
    expect([aborts, provider.cancels, provider.taken]).toEqual([1, 1, taken])
    // To end the call is for the lifeline to do.
    expect(finishes).toEqual([])
  })

  test('after the end takes nothing along', async () => {
    const wire = await stall()
    wire.socket.resume()
    provider.send(undefined)
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    wire.leave()
    await Bun.sleep(20)
    expect([aborts, provider.cancels]).toEqual([0, 0])
  })
})

describe('a comment that keeps the connection awake', () => {
  let setTimer: ReturnType<typeof spyOn<typeof globalThis, 'setInterval'>>
  let clearTimer: ReturnType<typeof spyOn<typeof globalThis, 'clearInterval'>>
  beforeEach(() => {
    keepAliveMs = 60_000
    setTimer = spyOn(globalThis, 'setInterval')
    clearTimer = spyOn(globalThis, 'clearInterval')
  })
  afterEach(() => {
    setTimer.mockRestore()
    clearTimer.mockRestore()
  })
  /** The interval goes by. */
  const tick = (): void => {
    const [callback] = setTimer.mock.lastCall ?? []
    if (typeof callback === 'function') callback()
  }
  const commentsIn = (received: string): number => received.split(COMMENT).length - 1

  test('comes by itself, also before the first piece', async () => {
    keepAliveMs = 5
    const wire = await openRequest()
    await wire.until((received) => commentsIn(received) >= 2)
    expect(finishes).toEqual([])
    wire.leave()
  })

  test('comes in each silence, before it is longer than the interval', async () => {
    const answer = ask().then((response) => response.text())
    await eventually(() => provider.isAsked, 'the door waits')
    const looks = keepAliveMs / Number(setTimer.mock.lastCall?.[1])
    expect(looks).toBeGreaterThanOrEqual(2)
    const silence = (): void => {
      for (let look = 0; look < looks; look++) tick()
    }
    silence()
    provider.send('one')
    for (let look = 1; look < looks; look++) tick()
    provider.send('two')
    silence()
    silence()
    provider.send(undefined)
    expect(await answer).toBe(`${COMMENT}onetwo${COMMENT}${COMMENT}`)
  })

  test('does not come while the client is behind', async () => {
    const wire = await stall()
    await floodUntilStill()
    for (let round = 0; round < 20; round++) tick()
    wire.socket.resume()
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    expect(commentsIn(wire.received)).toBe(0)
    wire.leave()
  })

  test.each([
    ['ends', undefined],
    ['breaks', new Error('broken')],
  ])('comes no more when the stream %s', async (_, ending) => {
    provider.send('one', ending)
    await (await ask()).text()
    expect(clearTimer).toHaveBeenCalledWith(setTimer.mock.results[0]?.value)
  })

  test('comes no more when the client has left', async () => {
    const wire = await stall()
    wire.leave()
    await eventually(() => aborts > 0, 'the call is given up')
    expect(clearTimer).toHaveBeenCalledWith(setTimer.mock.results[0]?.value)
  })

  test('has one timer, also for a reader without a socket, which asks for each piece', async () => {
    const lifeline = { abort: () => aborts++, keepAliveMs }
    const reader = streamBody(
      createCall(),
      { source: provider, status: 200, verbatim, opaque: false },
      lifeline,
    ).getReader()
    for (const piece of ['one', 'two']) {
      const reading = reader.read()
      await eventually(() => provider.isAsked, 'the door waits')
      provider.send(piece)
      expect(Buffer.from((await reading).value ?? []).toString()).toBe(piece)
    }
    const last = reader.read()
    provider.send(undefined)
    expect((await last).done).toBe(true)
    expect([setTimer.mock.calls.length, clearTimer.mock.calls.length]).toEqual([1, 1])
  })

  test('never comes when none is wished for', async () => {
    keepAliveMs = 0
    provider.send(undefined)
    await (await ask()).text()
    expect(setTimer).not.toHaveBeenCalled()
  })
})

describe('bytes that mean nothing to us', () => {
  beforeEach(() => {
    verbatim = true
  })

  test('arrive in order and whole', async () => {
    const pieces = [new Uint8Array(200_000).fill(1), new Uint8Array(1).fill(2), new Uint8Array(70_000).fill(3)]
    const answer = ask().then((response) => response.bytes())
    for (const piece of pieces) {
      await eventually(() => provider.isAsked, 'the door waits')
      provider.send(piece)
    }
    provider.send(undefined)
    expect(sha(await answer)).toBe(sha(Buffer.concat(pieces)))
    expect(finishes).toMatchObject([{ outcome: 'completed', status: 200, durations: { firstByteMs: 0 } }])
    expect([aborts, provider.cancels]).toEqual([0, 0])
  })

  test.each([
    ['over a socket', (): Promise<Response> => ask()],
    [
      'without one',
      async () =>
        new Response(
          streamBody(
            createCall(),
            { source, status: 200, verbatim, opaque: true },
            { abort: () => aborts++, keepAliveMs },
          ),
        ),
    ],
  ])('are freed as soon as they are sent, and arrive all the same: %s', async (_name, answered) => {
    opaque = true
    const pieces = Array.from({ length: 300 }, (_, index) => new Uint8Array(100_000).fill(index))
    const expected = sha(Buffer.concat(pieces))
    source = fromPieces(pieces)
    expect(sha(await (await answered()).bytes())).toBe(expected)
    expect(pieces.filter(({ length }) => length > 0)).toHaveLength(1)
  })

  test('are whole for a reader that keeps what it has read', async () => {
    const pieces = Array.from({ length: 30 }, (_, index) => new Uint8Array(100_000).fill(index))
    const expected = sha(Buffer.concat(pieces))
    const options = { source: fromPieces(pieces), status: 200, verbatim, opaque: true }
    const reader = streamBody(createCall(), options, { abort: () => aborts++, keepAliveMs }).getReader()
    const read: Uint8Array[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value)
    expect(sha(Buffer.concat(read))).toBe(expected)
  })

  test('are cut off when they break: nothing is added to them, and nobody takes it for a proper end', async () => {
    const wire = await openRequest()
    provider.send('begun')
    await wire.until((received) => received.includes('begun'))
    provider.send(new UpstreamUnreachable('Gone.'))
    expect(await wire.closed()).toEndWith('\r\n5\r\nbegun\r\n')
    expect(finishes).toMatchObject([{ outcome: 'truncated', status: 200, error: { code: 'upstream_unreachable' } }])
    expect([aborts, provider.cancels]).toEqual([0, 1])
  })

  test('have no comments between them', async () => {
    keepAliveMs = 1
    const wire = await stall()
    wire.socket.resume()
    await Bun.sleep(20)
    provider.send(undefined)
    await wire.until((received) => received.endsWith('0\r\n\r\n'))
    expect(wire.received).toEndWith('\r\n5\r\nbegun\r\n0\r\n\r\n')
    wire.leave()
  })

  test('are given up when their client leaves', async () => {
    const wire = await stall()
    wire.leave()
    await eventually(() => aborts > 0, 'the call is given up')
    await Bun.sleep(20)
    expect([aborts, provider.cancels]).toEqual([1, 1])
    expect(finishes).toEqual([])
  })

  test('are not read far ahead of a client that is behind', async () => {
    const wire = await stall()
    await floodUntilStill()
    expect(provider.taken).toBeLessThan(MAX_PIECES_AHEAD)
    wire.leave()
    await eventually(() => aborts > 0, 'the call is given up')
  })
})
