import { describe, expect, test } from 'bun:test'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import { matches, matchesWeakly, readConditions } from './conditions.ts'

const ifMatch = (text: string) => readConditions(new Headers({ 'if-match': text })).ifMatch

describe('headers with tags', () => {
  test('are read as the standard writes them', () => {
    expect(readConditions(new Headers())).toEqual({})
    expect(ifMatch('*')).toBe('*')
    expect(ifMatch('"a"')).toEqual([{ tag: '"a"', isWeak: false }])
    expect(ifMatch('""')).toEqual([{ tag: '""', isWeak: false }])
    expect(ifMatch('"a,b", W/"c" ,, "d"')).toEqual([
      { tag: '"a,b"', isWeak: false },
      { tag: '"c"', isWeak: true },
      { tag: '"d"', isWeak: false },
    ])
    const both = readConditions(new Headers({ 'if-match': '"a"', 'if-none-match': '*' }))
    expect(both).toEqual({ ifMatch: [{ tag: '"a"', isWeak: false }], ifNoneMatch: '*' })
  })

  test('that are no list of tags are refused, and the header is named', () => {
    for (const text of ['a', '"a', 'a"', '"a" "b"', 'w/"a"', 'W/ "a"', '"a b"', '*, "a"', '"a", *', ',', '"a";q=1']) {
      const read = () => ifMatch(text)
      expect(read).toThrow(ManagementInvalid)
      expect(read).toThrow('`If-Match`')
    }
    expect(() => readConditions(new Headers({ 'if-none-match': 'x' }))).toThrow('`If-None-Match`')
  })

  test('are read in a time that grows with their length alone', () => {
    const startedAtMs = performance.now()
    expect(() => ifMatch(`"a"${' '.repeat(50_000)}x`)).toThrow(ManagementInvalid)
    expect(() => ifMatch(`${','.repeat(50_000)}x`)).toThrow(ManagementInvalid)
    expect(performance.now() - startedAtMs).toBeLessThan(1_000)
  })
})

test('a weak tag is never the very same, but may be as good', () => {
  const [strong, weak] = [ifMatch('"a"'), ifMatch('W/"a"')]
  if (strong === undefined || weak === undefined) throw new Error('not read')
  expect(matches(strong, '"a"')).toBe(true)
  expect(matches(strong, '"b"')).toBe(false)
  expect(matches(weak, '"a"')).toBe(false)
  expect(matchesWeakly(weak, '"a"')).toBe(true)
  expect(matchesWeakly(weak, '"b"')).toBe(false)
  expect(matches('*', '"a"') && matchesWeakly('*', '"a"')).toBe(true)
})
