import { describe, expect, test } from 'bun:test'
import { changesBetween, linesBetween } from './changes.ts'

describe('what is different in an object', () => {
  test('is each field that differs, and nothing that changes along', () => {
    const before = { id: '1', name: 'one', credit_limit: 10, note: null, last_updated_at: 'then', updated_by: 'ada' }
    const now = { id: '1', name: 'one', credit_limit: 20, note: 'new', last_updated_at: 'now', updated_by: 'bob' }
    expect(changesBetween(before, now)).toEqual([
      { field: 'credit limit', before: '10', now: '20' },
      { field: 'note', now: 'new' },
    ])
    expect(changesBetween(before, before)).toEqual([])
  })

  test('is shown line by line where it is long, with the lines around', () => {
    const config = (attempts: number) => ({ a: 1, b: 2, c: 3, retry: { attempts }, d: 4, e: 5, f: 6 })
    expect(changesBetween({ config: config(2) }, { config: JSON.stringify(config(3)) })).toEqual([
      {
        field: 'config',
        lines: [
          { kind: 'same', text: '  "c": 3,' },
          { kind: 'same', text: '  "retry": {' },
          { kind: 'gone', text: '    "attempts": 2' },
          { kind: 'new', text: '    "attempts": 3' },
          { kind: 'same', text: '  },' },
          { kind: 'same', text: '  "d": 4,' },
        ],
      },
    ])
  })
})

describe('lines of two texts', () => {
  const kinds = (before: string, now: string) => linesBetween(before, now).map(({ kind, text }) => `${kind} ${text}`)

  test('keep what both have', () => {
    expect(kinds('a\nb\nc', 'a\nx\nc\nd')).toEqual(['same a', 'gone b', 'new x', 'same c', 'new d'])
    expect(kinds('', 'a')).toEqual(['new a'])
    expect(kinds('a', '')).toEqual(['gone a'])
  })

  test('of texts that are too long to compare are all gone and all new', () => {
    const [left, right] = ['a', 'b'].map((text) => Array.from({ length: 1_500 }, () => text).join('\n'))
    const found = linesBetween(left ?? '', right ?? '')
    expect(found.filter(({ kind }) => kind === 'gone')).toHaveLength(1_500)
    expect(found.filter(({ kind }) => kind === 'new')).toHaveLength(1_500)
  })
})
