import { afterEach, describe, expect, test } from 'bun:test'
import { createFold } from '../../../test/support/records/fold.ts'
import { batchOf, sampleRecords } from '../../../test/support/records/samples.ts'
import type { CallRecord } from '../../core/records.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { rejection, until } from '../../store/testing.ts'
import { silentLog } from '../tokens/test-support.ts'
import { createTail, type Tail, type TailOptions } from './tail.ts'

const [SAMPLE] = sampleRecords(1)
const PLACE = { organisationId: 'o', workspaceId: 'w' }

const record = (changes: Partial<CallRecord> = {}): CallRecord => {
  const id = Bun.randomUUIDv7()
  return { ...(SAMPLE as CallRecord), ...PLACE, id, callId: id, kind: 'call', metadata: {}, ...changes }
}

/** A store, a tail of it, and a server that streams it. */
const open = (changes: Partial<TailOptions> = {}) => {
  const fold = createFold()
  let position = 0
  let polls = 0
  let isAway = false
  let nowMs = 0
  const tail = createTail({
    reader: {
      arrivals: async (since, limit) => {
        polls++
        if (isAway) throw new StoreUnavailable('away')
        return fold.arrivals(since, limit)
      },
    },
    slugsOf: async (_organisationId, ids) => new Map(ids.map((id) => [id, `slug of ${id}`])),
    clock: { monotonicMs: () => nowMs },
    log: silentLog,
    isStopping: () => false,
    pollMs: 5,
    ...changes,
  })
  return {
    tail,
    polls: () => polls,
    away: (value: boolean) => {
      isAway = value
    },
    advance: (ms: number) => {
      nowMs += ms
    },
    async add(...records: readonly CallRecord[]) {
      const batch = batchOf({ records }, { from: position })
      position = batch.to
      await fold.write(batch)
    },
  }
}

interface Event {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads a stream as it comes. */
const follow = (stream: ReadableStream<Uint8Array>) => {
  const events: Event[] = []
  let text = ''
  const reader = stream.getReader()
  const done = (async () => {
    for (;;) {
      const { value, done: isDone } = await reader.read()
      if (isDone) return
      text += new TextDecoder().decode(value)
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined) events.push({ event, data: JSON.parse(data ?? '') })
      }
    }
  })()
  const ids = () => events.filter(({ event }) => event === 'log').map(({ data }) => data.id)
  return { events, ids, done, leave: () => reader.cancel() }
}

describe('the live tail', () => {
  const tails: Tail[] = []
  const start = (changes?: Partial<TailOptions>) => {
    const opened = open(changes)
    tails.push(opened.tail)
    return opened
  }
  afterEach(async () => {
    for (const tail of tails.splice(0)) await tail.close()
  })

  test('hands on what arrives from now on, to those whom it concerns', async () => {
    const { tail, add } = start()
    await add(record())
    const all = follow(await tail.listen({ organisationId: 'o' }, []))
    const own = follow(await tail.listen(PLACE, [{ column: 'success', in: [false] }]))
    const foreign = follow(await tail.listen({ organisationId: 'other' }, []))
    const attempts = follow(await tail.listen(PLACE, [{ column: 'kind', in: ['attempt'] }]))
    const good = record({ success: true })
    const bad = record({ success: false })
    const second = record({ success: false, workspaceId: 'v' })
    const attempt = record({ kind: 'attempt', success: false, attempt: 1 })
    await add(good, bad, second, attempt)
    await until(() => all.ids().length === 3 && own.ids().length === 1 && attempts.ids().length === 1)
    expect(all.ids()).toEqual([good.id, bad.id, second.id])
    expect(own.ids()).toEqual([bad.id])
    expect(attempts.ids()).toEqual([attempt.id])
    expect(foreign.events).toEqual([{ event: 'ready', data: {} }])
    expect(own.events[1]?.data).toMatchObject({ workspace_slug: 'slug of w', is_success: 0, feedback: [] })
  })

  test('asks the store only while somebody listens, once for all', async () => {
    const { tail, add, polls } = start({ pollMs: 20 })
    await Bun.sleep(50)
    expect(polls()).toBe(0)
    const listeners = await Promise.all(Array.from({ length: 10 }, async () => follow(await tail.listen(PLACE, []))))
    const before = polls()
    await add(record())
    await until(() => listeners.every(({ ids }) => ids().length === 1))
    expect(polls() - before).toBeLessThan(10)
    for (const { leave } of listeners) await leave()
    await until(() => tail.listeners === 0)
    await Bun.sleep(50)
    const after = polls()
    await Bun.sleep(50)
    expect(polls()).toBe(after)
  })

  test('a burst is handed on whole, in its order', async () => {
    const { tail, add } = start()
    const listener = follow(await tail.listen(PLACE, []))
    const sent = Array.from({ length: 900 }, () => record())
    for (let at = 0; at < sent.length; at += 300) await add(...sent.slice(at, at + 300))
    await until(() => listener.ids().length === sent.length)
    expect(listener.ids()).toEqual(sent.map(({ id }) => id))
  })

  test('goes on where it was when the store was away', async () => {
    const { tail, add, away, polls } = start()
    const listener = follow(await tail.listen(PLACE, []))
    away(true)
    const sent = record()
    await add(sent)
    const before = polls()
    await until(() => polls() > before + 3)
    expect(listener.ids()).toEqual([])
    away(false)
    await until(() => listener.ids().length === 1)
    expect(listener.ids()).toEqual([sent.id])
    away(true)
    await listener.leave()
    await until(() => tail.listeners === 0)
    const second = polls()
    await Bun.sleep(30)
    expect(polls() - second).toBeLessThanOrEqual(1)
    expect(await rejection(tail.listen(PLACE, []))).toBeInstanceOf(StoreUnavailable)
    expect(tail.listeners).toBe(0)
  })

  test('a client that does not read loses events, and is told how many', async () => {
    const { tail, add } = start()
    const server = Bun.serve({
      port: 0,
      idleTimeout: 60,
      fetch: async () =>
        new Response(await tail.listen(PLACE, []), { headers: { 'content-type': 'text/event-stream' } }),
    })
    try {
      const quick = follow(await tail.listen(PLACE, []))
      let text = ''
      let isReading = true
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: server.port ?? 0,
        socket: {
          open: (opened) => void opened.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
          data: (opened, bytes) => {
            text += bytes.toString()
            // The buffers of the system fill up, then those of the gateway.
            if (isReading) opened.pause()
          },
        },
      })
      await until(() => text.includes('event: ready'))
      const big = { errorMessage: 'x'.repeat(50_000) }
      const sent = 400
      for (let n = 0; n < sent; n++) {
        await add(record(big))
        if (n % 20 === 0) await until(() => quick.ids().length === n + 1)
      }
      await until(() => quick.ids().length === sent)
      isReading = false
      socket.resume()
      const last = record()
      await until(() => {
        void add(record())
        return /event: dropped\ndata: \{"dropped":\d+\}/.test(text)
      })
      await add(last)
      await until(() => text.includes(last.id))
      const dropped = [...text.matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
      const logs = text.split('event: log\n').length - 1
      expect(dropped).toBeGreaterThan(0)
      expect(quick.events.filter(({ event }) => event === 'dropped')).toEqual([])
      await until(() => quick.ids().includes(last.id))
      expect(logs + dropped).toBe(quick.ids().length)
      socket.end()
      await until(() => tail.listeners === 1)
    } finally {
      await server.stop(true)
    }
  }, 30_000)

  test('only so many listen, of one organisation and in all', async () => {
    const { tail } = start()
    const refused = async (organisationId: string) => {
      const thrown = await rejection(tail.listen({ organisationId }, []))
      expect(thrown).toBeInstanceOf(GatewayError)
      expect((thrown as GatewayError).code).toBe('management_too_many')
    }
    const streams = []
    for (const organisationId of ['a', 'b', 'c', 'd']) {
      for (let n = 0; n < 25; n++) streams.push(follow(await tail.listen({ organisationId }, [])))
      await refused(organisationId)
    }
    await refused('e')
    await streams[0]?.leave()
    await until(() => tail.listeners === 99)
    streams.push(follow(await tail.listen({ organisationId: 'e' }, [])))
  })

  test('ends when the gateway stops, and after an hour', async () => {
    let isStopping = false
    const { tail, advance } = start({ isStopping: () => isStopping })
    const old = follow(await tail.listen(PLACE, []))
    advance(59 * 60_000)
    const young = follow(await tail.listen(PLACE, []))
    advance(60_000)
    await old.done
    expect(old.events.at(-1)).toEqual({ event: 'end', data: { reason: 'reconnect' } })
    isStopping = true
    await young.done
    expect(young.events.at(-1)).toEqual({ event: 'end', data: { reason: 'stopping' } })
    expect(((await rejection(tail.listen(PLACE, []))) as GatewayError).code).toBe('management_unavailable')
    expect(tail.listeners).toBe(0)
  })

  test('one that was never read ends all the same', async () => {
    const { tail } = start()
    const stream = await tail.listen(PLACE, [])
    await tail.close()
    const late = follow(stream)
    await late.done
    expect(late.events.map(({ event }) => event)).toEqual(['ready', 'end'])
  })
})
