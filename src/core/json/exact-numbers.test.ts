import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactly } from './exact-numbers.ts'

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?\d{1,2})?$/)

test('numbers that JavaScript does not keep are written as they were read, and others are plain numbers', () => {
  fc.assert(
    fc.property(digits, (source) => {
      const text = `{"a":[${source}]}`
      const again = JSON.stringify(parseExactly(text))
      const isKept = again === text
      // What is short enough may be written in another way, but says the same.
      expect(isKept || Number(source) === JSON.parse(again).a[0]).toBe(true)
      if (source.replace(/\D/g, '').length >= 16 && !/[eE]/.test(source)) expect(again).toBe(text)
    }),
    { numRuns: 2_000 },
  )
  expect(parseExactly('{"id":9007199254740991,"b":[1.5,true,null,"9007199254740993"]}')).toEqual({
    id: 9007199254740991,
    b: [1.5, true, null, '9007199254740993'],
  })
})
