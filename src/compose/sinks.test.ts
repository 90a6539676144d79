import { describe, expect, test } from 'bun:test'
import { sampleRecords } from '../../test/support/records/samples.ts'
import type { CallRecord, CallSink } from '../core/records.ts'
import { fakeHost } from '../kit/testing/fake-host.ts'
import { createMetricRegistry } from '../observe/metrics/registry.ts'
import { type Messages, SINK_LIMITS, type SinkLimits } from './sink-queue.ts'
import { createSinks } from './sinks.ts'

const RECORDS = sampleRecords(40)

const open = (sinks: readonly CallSink[], limits: Partial<SinkLimits> = {}) => {
  const { clock, log, logLines } = fakeHost()
  const metrics = createMetricRegistry()
  const all = createSinks({ clock, log, metrics, limits: { ...SINK_LIMITS, gatherMs: 1, ...limits } })
  for (const sink of sinks) all.add(sink, true)
  const dropped = (): Record<string, number> =>
    Object.fromEntries(
      metrics.collect().flatMap(({ points }) => points.map(({ labels, value }) => [labels.sink, Number(value)])),
    )
  return { sinks: all, logLines, dropped }
}

/** A sink that keeps its batches, and tells when it has so many records. */
const keeping = (name = 'keeping') => {
  const batches: (readonly CallRecord[])[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  let wanted = Number.POSITIVE_INFINITY
  const steps: string[] = []
  const count = (): number => batches.reduce((sum, { length }) => sum + length, 0)
  const sink: CallSink = {
    name,
    write(records) {
      batches.push(records)
      if (count() >= wanted) resolve()
    },
    flush: async () => void steps.push('flush'),
    close: async () => void steps.push('close'),
  }
  const has = (records: number): Promise<void> => {
    wanted = records
    if (count() >= wanted) resolve()
    return enough
  }
  return { sink, batches, steps, has }
}

const hanging: CallSink = { name: 'hanging', write: () => new Promise(() => undefined) }

describe('a sink gets', () => {
  test('every record once, in order, in batches of a bounded size', async () => {
    const { sink, batches, has } = keeping()
    const { sinks } = open([sink], { batch: 15 })
    for (const record of RECORDS) sinks.push([record])
    await has(40)
    expect(batches.map(({ length }) => length)).toEqual([15, 15, 10])
    expect(batches.flat()).toEqual(RECORDS)
    await sinks.close()
  })

  test('what is queued before it is closed', async () => {
    const { sink, batches, steps } = keeping()
    const { sinks } = open([sink], { gatherMs: 60_000 })
    sinks.push(RECORDS)
    expect(batches).toEqual([])
    await sinks.close()
    expect(batches.flat()).toEqual(RECORDS)
    expect(steps).toEqual(['flush', 'close'])
  })

  test('messages only when it asks for them, and as many as have room', async () => {
    const seen: (Messages | undefined)[] = []
    const write: CallSink['write'] = (_records, messages) => void seen.push(messages)
    const { sinks } = open([{ name: 'all', write, takesMessages: true }], { messageBytes: 10 })
    const [first, second] = RECORDS
    if (first === undefined || second === undefined) throw new Error('no records')
    const message = (body: string) => [{ side: 'request' as const, headers: {}, body: Buffer.from(body) }]
    sinks.push([first], new Map([[first.id, message('12345678')]]))
    sinks.push([second], new Map([[second.id, message('too long')]]))
    await sinks.close()
    expect(seen).toEqual([new Map([[first.id, message('12345678')]])])
    const without: (Messages | undefined)[] = []
    const other = open([{ name: 'none', write: (_records, messages) => void without.push(messages) }])
    other.sinks.push([first], new Map([[first.id, message('x')]]))
    await other.sinks.close()
    expect(without).toEqual([undefined])
  })
})

describe('a sink that is broken', () => {
  test('and throws or rejects loses its records alone, counted and said', async () => {
    const { sink, batches } = keeping()
    const throwing: CallSink = {
      name: 'throwing',
      write: () => {
        throw new Error('no room')
      },
    }
    const rejecting: CallSink = { name: 'rejecting', write: async () => Promise.reject(new Error('no way')) }
    const { sinks, logLines, dropped } = open([throwing, rejecting, sink], { batch: 10 })
    sinks.push(RECORDS)
    await sinks.close()
    expect(batches.flat()).toEqual(RECORDS)
    expect(dropped()).toEqual({ throwing: 40, rejecting: 40, keeping: 0 })
    const said = logLines.filter(({ message }) => message === 'records of calls were lost for a sink')
    expect(said[0]?.fields).toEqual({ sink: 'throwing', lost: 10, error: 'Error: no room' })
    // The first line at once, the others in one when it is closed.
    expect(said.map(({ fields }) => [fields?.sink, fields?.lost])).toEqual([
      ['throwing', 10],
      ['rejecting', 10],
      ['throwing', 30],
      ['rejecting', 30],
    ])
  })

  test('and hangs hurts no other, is full at its bound, and is not waited for at the end', async () => {
    const { sink, batches, has } = keeping()
    const { sinks, dropped } = open([hanging, sink], { queued: 25, batch: 5, closeMs: 20 })
    sinks.push(RECORDS.slice(0, 20))
    await has(20)
    // 5 of 20 are with the sink, 15 wait: there is room for 10 more.
    for (const record of RECORDS.slice(20)) sinks.push([record])
    await sinks.close()
    expect(batches.flat()).toEqual(RECORDS)
    expect(dropped()).toEqual({ hanging: 40, keeping: 0 })
  })

  test('and sits on batches gets no more of them than it may', async () => {
    let asked = 0
    const slow: CallSink = { name: 'slow', write: () => new Promise(() => void asked++) }
    const { sinks, dropped } = open([slow], { batch: 5, writeMs: 1, hanging: 2, closeMs: 50 })
    sinks.push(RECORDS)
    await sinks.close()
    expect(asked).toBe(2)
    expect(dropped()).toEqual({ slow: 40 })
  })

  test('at its end is told of', async () => {
    const { sinks, logLines } = open([
      { name: 'a', write: () => undefined, close: () => Promise.reject(new Error('stuck')) },
    ])
    await sinks.close()
    expect(logLines).toEqual([
      { level: 'error', message: 'a sink could not be closed', fields: { sink: 'a', error: 'Error: stuck' } },
    ])
  })
})
