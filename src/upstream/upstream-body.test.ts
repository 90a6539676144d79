import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type GatewayError, UpstreamUnreachable } from '../errors/gateway-error.ts'
import { UpstreamBody } from './upstream-body.ts'
import { Watchdog } from './watchdog.ts'

let expired: GatewayError[]
let ends: number
let givenUp: number
let watchdog: Watchdog
beforeEach(() => {
  expired = []
  ends = 0
  givenUp = 0
  watchdog = new Watchdog(
    () => performance.now(),
    (error) => expired.push(error),
  )
})
afterEach(() => watchdog.stop())

interface Pullable {
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void | Promise<void>
}
type Source = Pullable | undefined

const bodyOf = (source: Source, idleMs = 5_000): UpstreamBody =>
  new UpstreamBody(new Response(source === undefined ? null : new ReadableStream(source)), {
    idleMs,
    watchdog,
    explain: (thrown) => new UpstreamUnreachable('explained', { cause: thrown }),
    giveUp: () => givenUp++,
    onEnd: () => ends++,
  })
const pieces = (...texts: string[]): NonNullable<Source> => ({
  pull(controller) {
    const text = texts.shift()
    if (text === undefined) controller.close()
    else controller.enqueue(new TextEncoder().encode(text))
  },
})
const read = async (body: UpstreamBody): Promise<string | undefined> => {
  const bytes = await body.read()
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

describe('the body of a provider', () => {
  test('is read piece by piece, ends once, and stays at its end', async () => {
    const body = bodyOf(pieces('a', 'b'))
    expect([await read(body), await read(body), await read(body), await read(body)]).toEqual([
      'a',
      'b',
      undefined,
      undefined,
    ])
    expect([ends, givenUp]).toEqual([1, 0])
  })

  test('may be missing', async () => {
    expect(await read(bodyOf(undefined))).toBeUndefined()
    expect(ends).toBe(1)
  })

  test('that breaks is explained, and ends', async () => {
    const body = bodyOf({
      pull(controller) {
        controller.error(new Error('ECONNRESET'))
      },
    })
    await expect(body.read()).rejects.toThrow('explained')
    expect(ends).toBe(1)
    expect(await read(body)).toBeUndefined()
  })

  test('that is cancelled breaks its connection, once', async () => {
    const body = bodyOf(pieces('a', 'b'))
    await read(body)
    body.cancel()
    body.cancel()
    expect([ends, givenUp]).toEqual([1, 1])
    expect(await read(body)).toBeUndefined()
  })

  test('that has ended is not broken any more: its connection is somebody else’s', async () => {
    const body = bodyOf(pieces())
    await read(body)
    body.cancel()
    expect([ends, givenUp]).toEqual([1, 0])
  })

  test('has a deadline only while somebody waits for it', async () => {
    const body = bodyOf(pieces('a'), 20)
    await read(body)
    await Bun.sleep(60)
    expect(expired).toEqual([])
    const silent = bodyOf({ pull: () => new Promise(() => undefined) }, 20)
    silent.read().catch(() => undefined)
    await Bun.sleep(60)
    expect(expired.map(({ code }) => code)).toEqual(['idle_timeout'])
  })
})
