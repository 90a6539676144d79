import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { errorFields } from '../errors/error-fields.ts'
import { createCallLog, createLogger } from './log.ts'

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6), monotonicMs: () => 0 }

const logger = () => {
  const lines: string[] = []
  return { log: createLogger(clock, (text) => lines.push(text)), lines }
}

describe('the log of the process', () => {
  test('is one JSON object a line', () => {
    const { log, lines } = logger()
    log.info('started')
    log.warn('two\nlines', { port: 80 })
    log.error('broken', { error: 'Error: x' })
    expect(lines).toEqual([
      '{"time":"2026-01-02T03:04:05.006Z","level":"info","message":"started"}\n',
      '{"time":"2026-01-02T03:04:05.006Z","level":"warn","message":"two\\nlines","port":80}\n',
      '{"time":"2026-01-02T03:04:05.006Z","level":"error","message":"broken","error":"Error: x"}\n',
    ])
  })

  test('shows an error and its cause by class and message, without a stack', () => {
    const cause = new RangeError('too far')
    expect(errorFields(new TypeError('no', { cause }))).toEqual({
      error: 'TypeError: no',
      cause: 'RangeError: too far',
    })
    expect(errorFields(new Error('no', { cause: 'text' }))).toEqual({ error: 'Error: no', cause: 'text' })
    expect(errorFields(new Error('no'))).toEqual({ error: 'Error: no' })
    expect(errorFields('thrown text')).toEqual({ error: 'thrown text' })
  })
})

describe('the log of calls', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const MEBIBYTE = 1024 * 1024
  const record = (id: number, characters = 0) => ({ id, text: 'x'.repeat(characters) })

  test('gathers lines and writes them together', async () => {
    const written: string[] = []
    const { log } = logger()
    const calls = createCallLog(async (text) => void written.push(text), log)
    calls.log({ id: 1 })
    calls.log({ id: 2, missing: undefined })
    expect(written).toEqual([])
    jest.advanceTimersByTime(20)
    await calls.flush()
    expect(written).toEqual(['{"id":1}\n{"id":2}\n'])
    calls.log({ id: 3 })
    await calls.flush()
    expect(written[1]).toBe('{"id":3}\n')
  })

  test('flush writes what waits and resolves when it is out', async () => {
    const gate = Promise.withResolvers<void>()
    const { log } = logger()
    const calls = createCallLog(() => gate.promise, log)
    calls.log({ id: 1 })
    let flushed = false
    const flushing = calls.flush().then(() => {
      flushed = true
    })
    await Promise.resolve()
    expect(flushed).toBe(false)
    gate.resolve()
    await flushing
    expect(flushed).toBe(true)
  })

  test('a pipe that nobody reads costs a bounded memory: lines are dropped, counted, and told of once', async () => {
    const gate = Promise.withResolvers<void>()
    const written: string[] = []
    const { log, lines } = logger()
    const calls = createCallLog((text) => {
      written.push(text)
      return gate.promise
    }, log)
    for (let id = 0; id < 20; id++) calls.log(record(id, MEBIBYTE))
    jest.advanceTimersByTime(20)
    for (let id = 20; id < 30; id++) calls.log(record(id, MEBIBYTE))
    jest.advanceTimersByTime(20)
    gate.resolve()
    await calls.flush()
    expect(written.join('').split('\n').length - 1).toBe(7)
    calls.log(record(30))
    await calls.flush()
    expect(written.at(-1)).toContain('"id":30')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', dropped: 13 },
      { level: 'warn', dropped: 10 },
    ])
  })

  test('a write that fails is told of and does not end the log', async () => {
    const { log, lines } = logger()
    const written: string[] = []
    const calls = createCallLog((text) => {
      if (text.includes('"id":1}')) return Promise.reject(new Error('EPIPE'))
      written.push(text)
      return Promise.resolve()
    }, log)
    calls.log({ id: 1 })
    await calls.flush()
    calls.log({ id: 2 })
    await calls.flush()
    expect(written).toEqual(['{"id":2}\n'])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', error: 'Error: EPIPE' })
  })
})
