import { describe, expect, test } from 'bun:test'
import { applyParams, type ParamMap } from './params.ts'
import type { AdapterContext } from './provider.ts'

interface Request {
  readonly model: string
  readonly temperature?: number | null
  readonly stop?: string | readonly string[] | null
  readonly [extra: string]: unknown
}

const context: AdapterContext = {
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const apply = (rules: ParamMap<Request>, request: object, unlisted: 'keep' | 'drop' = 'keep') =>
  applyParams<Request>(rules, request as Request, context, unlisted)

describe('applyParams', () => {
  test('without rules everything stays, and nothing counts as changed', () => {
    const request = { model: 'm', temperature: null, later: { a: [1] } }
    expect(apply({}, request)).toEqual({ body: request, dropped: [], changed: false })
  })

  test('unlisted parameters of an own wire format are dropped and named, nulls only left out', () => {
    const result = apply({ model: true }, { model: 'm', stop: null, temperature: 1, later: 2 }, 'drop')
    expect(result).toEqual({ body: { model: 'm' }, dropped: ['temperature', 'later'], changed: true })
  })

  test('a parameter is named once, however often it is lost, and many cost no more each than few', () => {
    // Compared with each other they would take longer than a test may.
    const names = Array.from({ length: 100_000 }, (_, index) => `k${index}`)
    const request = { model: 'm', ...Object.fromEntries(names.map((name) => [name, 1])) }
    expect(apply({ model: true }, request, 'drop').dropped).toEqual(names)
    const lose = (_value: unknown, _request: Request, _context: AdapterContext, report: (part: string) => void) => {
      report('a')
      report('a')
      return {}
    }
    const twice = apply({ stop: lose }, { stop: 'x' })
    expect(twice.dropped).toEqual(['a'])
  })

  test('a null is left out of an own wire format, also where the parameter is kept', () => {
    const result = apply({ model: true, stop: true }, { model: 'm', stop: null }, 'drop')
    expect(result).toEqual({ body: { model: 'm' }, dropped: [], changed: true })
    expect(result.body).not.toHaveProperty('stop')
  })

  test('a null is left out where a rule would translate it', () => {
    const result = apply({ temperature: 'heat' }, { model: 'm', temperature: null })
    expect(result).toEqual({ body: { model: 'm' }, dropped: [], changed: true })
  })

  test('renames, also into objects that other rules share', () => {
    const rules: ParamMap<Request> = { temperature: 'config.heat', stop: 'config.end', model: 'name' }
    expect(apply(rules, { model: 'm', temperature: 0, stop: 'x' }).body).toEqual({
      name: 'm',
      config: { heat: 0, end: 'x' },
    })
  })

  test('drops and names', () => {
    expect(apply({ temperature: null }, { model: 'm', temperature: 1 })).toEqual({
      body: { model: 'm' },
      dropped: ['temperature'],
      changed: true,
    })
  })

  test.each([
    [0.5, 0.5, false],
    [-1, 0, true],
    [2, 1, true],
    ['hot', 'hot', false],
  ])('clamps %p to %p', (given, sent, changed) => {
    const result = apply({ temperature: { clamp: [0, 1] } }, { model: 'm', temperature: given })
    expect(result).toEqual({ body: { model: 'm', temperature: sent }, dropped: [], changed })
  })

  test('a clamped parameter under a new name is a change though its value is not', () => {
    const result = apply({ temperature: { clamp: [0, 1], as: 'heat' } }, { temperature: 0.5 })
    expect(result).toEqual({ body: { heat: 0.5 }, dropped: [], changed: true })
  })

  test('a function gives fields, none, or drops', () => {
    const rules: ParamMap<Request> = {
      stop: (stop) => ({ 'config.end': typeof stop === 'string' ? [stop] : stop, gone: undefined }),
      seed: () => ({}),
      n: () => undefined,
    }
    expect(apply(rules, { model: 'm', stop: 'x', seed: 1, n: 2 })).toEqual({
      body: { model: 'm', config: { end: ['x'] } },
      dropped: ['n'],
      changed: true,
    })
  })

  test('a function that gives the value itself back leaves the bytes alone; a copy does not', () => {
    const stop = ['x']
    expect(apply({ stop: (value) => ({ stop: value }) }, { stop })).toEqual({
      body: { stop },
      dropped: [],
      changed: false,
    })
    expect(apply({ stop: () => ({ stop: ['x'] }) }, { stop }).changed).toBe(true)
    expect(apply({ stop: (value) => ({ end: value }) }, { stop }).changed).toBe(true)
    expect(apply({ stop: (value) => ({ stop: value, more: 1 }) }, { stop }).changed).toBe(true)
  })

  test('a function sees the request and the context, and names lost parts once', () => {
    const rules: ParamMap<Request> = {
      model: (model, request, { callId }, report) => {
        report('model[].part')
        report('model[].part')
        return { model: `${model} ${request.stop} ${callId}` }
      },
    }
    expect(apply(rules, { model: 'm', stop: 'x' })).toEqual({
      body: { model: 'm x call-1', stop: 'x' },
      dropped: ['model[].part'],
      changed: true,
    })
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('a parameter named %s is a parameter', (name) => {
    const request = { [name]: { 'a.b': 1 } }
    expect(apply({}, request)).toEqual({ body: request, dropped: [], changed: false })
    expect(apply({}, request, 'drop')).toEqual({ body: {}, dropped: [name], changed: true })
  })

  test('a parameter named __proto__ is a parameter too, and pollutes nothing', () => {
    const text = '{"model":"m","__proto__":{"polluted":true}}'
    const kept = apply({ model: (model) => ({ model }) }, JSON.parse(text))
    expect(JSON.stringify(kept.body)).toBe(text)
    expect(kept.body).not.toHaveProperty('polluted')
    expect(apply({ model: true }, JSON.parse(text), 'drop')).toEqual({
      body: { model: 'm' },
      dropped: ['__proto__'],
      changed: true,
    })
    expect({}).not.toHaveProperty('polluted')
  })
})
