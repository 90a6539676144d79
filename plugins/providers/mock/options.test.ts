import { describe, expect, test } from 'bun:test'
import { MOCK_OPTIONS, readOptions } from './options.ts'
import { MockRefusal } from './refusal.ts'

const refusal = (model: string, field?: unknown): MockRefusal => {
  try {
    readOptions(model, field)
  } catch (error) {
    if (error instanceof MockRefusal) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('switches', () => {
  test('come from the suffix of the model', () => {
    expect(readOptions('mock:fault=overloaded,latency=200,tokens=500,interval=20', undefined)).toEqual({
      model: 'mock',
      options: { fault: 'overloaded', latencyMs: 200, tokens: 500, intervalMs: 20 },
    })
    expect(readOptions('mock-tools', undefined)).toEqual({ model: 'mock-tools', options: {} })
  })

  test('come from the field, which wins', () => {
    expect(readOptions('mock:latency=1,at=5', { latencyMs: 2, chunkBytes: 3 }).options).toEqual({
      latencyMs: 2,
      at: 5,
      chunkBytes: 3,
    })
  })

  test('have two names in either place', () => {
    for (const [name, { short, ...row }] of Object.entries(MOCK_OPTIONS)) {
      const value = name === 'fault' ? 'status' : 'range' in row ? row.range[1] : 'text'
      const read = [name, short].flatMap((given) => [
        readOptions(`mock:${given}=${value}`, undefined).options,
        readOptions('mock', { [given]: value }).options,
      ])
      for (const options of read) expect(options).toMatchObject({ [name]: value })
    }
  })

  test('may be percent-encoded in a model', () => {
    const { options } = readOptions('mock:retry-after=Wed%2C%2021%20Oct%202015', undefined)
    expect(options).toEqual({ fault: 'status', retryAfter: 'Wed, 21 Oct 2015' })
  })

  test('a status means the fault of that name, and no other', () => {
    expect(readOptions('mock:status=503', undefined).options).toEqual({ fault: 'status', status: 503 })
    expect(refusal('mock:status=503,fault=gzip').message).toContain('gzip')
  })

  test.each([
    ['mock:fualt=gzip', undefined, 'model', 'fualt'],
    ['mock:fault=gizp', undefined, 'model', 'gizp'],
    ['mock:fault', undefined, 'model', 'name=value'],
    ['mock:', undefined, 'model', 'name=value'],
    ['mock:key=%zz', undefined, 'model', 'percent'],
    ['mock:latency=-1', undefined, 'model', 'latency'],
    ['mock', { sleep: 1 }, 'mock.sleep', 'sleep'],
    ['mock', { fault: 7 }, 'mock.fault', 'text'],
    ['mock', { fault: '__proto__' }, 'mock.fault', '__proto__'],
    ['mock', { status: 200 }, 'mock.status', '400 to 599'],
    ['mock', { at: 1.5 }, 'mock.at', 'whole number'],
    ['mock', { at: null }, 'mock.at', 'whole number'],
    ['mock', [], 'mock', 'object'],
    ['mock', 'fault=gzip', 'mock', 'object'],
  ])('%p with %p is refused by name', (model, field, param, words) => {
    const { status, message, param: named } = refusal(model, field)
    expect([status, named]).toEqual([400, param])
    expect(message).toContain(words)
  })
})
