import { expect, test } from 'bun:test'
import { imageSize, nearestRatio } from './image-size.ts'

test('reads a size, and leaves the choice where there is none', () => {
  expect(imageSize('1536x1024')).toEqual({ width: 1536, height: 1024 })
  for (const size of ['auto', undefined, null]) expect(imageSize(size)).toBeUndefined()
})

test.each(['large', '0x1024', '1024x', '1024x1024x1', '999999x1', 7])('refuses %p by name', (size) => {
  expect(() => imageSize(size)).toThrow(expect.objectContaining({ options: { param: 'size' } }))
})

test.each([
  [{ width: 1536, height: 1024 }, '3:2', true],
  [{ width: 1024, height: 1536 }, '2:3', true],
  [{ width: 1792, height: 1024 }, '16:9', false],
  [{ width: 10_000, height: 10 }, '16:9', false],
])('finds the shape for %p', (size, ratio, isExact) => {
  expect(nearestRatio(size, ['1:1', '16:9', '3:2', '2:3'])).toEqual({ ratio, isExact })
})
