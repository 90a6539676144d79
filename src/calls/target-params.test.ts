import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { applyTargetParams } from './target-params.ts'

const drop = (request: Readonly<Record<string, unknown>>, ...dropParams: readonly string[]) =>
  applyTargetParams(request, { dropParams })

describe('parameters to drop', () => {
  const request = { a: 1, b: { c: 2, d: [{ e: 3, f: 4 }, { e: 5 }] }, 'x.y': 6 }

  test.each([
    [['a', 'b'], { 'x.y': 6 }],
    [['b.c', 'none', 'a.b.c'], { a: 1, b: { d: [{ e: 3, f: 4 }, { e: 5 }] }, 'x.y': 6 }],
    [['b.d[*].e'], { a: 1, b: { c: 2, d: [{ f: 4 }, {}] }, 'x.y': 6 }],
    [['b.d[0]'], { a: 1, b: { c: 2, d: [{ e: 5 }] }, 'x.y': 6 }],
    [['b["d"][1].e', "b['c']"], { a: 1, b: { d: [{ e: 3, f: 4 }, {}] }, 'x.y': 6 }],
    [['b', 'b.c', 'x'], { a: 1, 'x.y': 6 }],
    [['*'], {}],
    [['', '.'], request],
  ])('%j', (paths, left) => expect<unknown>(drop(request, ...paths)).toEqual(left))

  test('a path of brackets alone is read once', () => {
    const before = performance.now()
    drop(request, '['.repeat(200_000), `a${'[x'.repeat(100_000)}`, '["'.repeat(100_000))
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  test('paths that look at too much are refused', () => {
    const rows = Array.from({ length: 20_000 }, () => ({ a: { a: { a: 1 } } }))
    const names = ['*', 'a']
    const paths = names.flatMap((one) => names.flatMap((two) => names.map((three) => `*.*.${one}.${two}.${three}.x`)))
    expect(drop({ rows }, '*.*.*.x')).toEqual({ rows })
    const many = { rows: Array.from({ length: 6 }, () => rows) }
    expect(() => drop(many, ...paths)).toThrow(InvalidRequest)
  })
})
