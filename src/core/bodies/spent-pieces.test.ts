import { expect, test } from 'bun:test'
import { SpentPieces } from './spent-pieces.ts'

test('a piece is good until the next one comes', () => {
  const spent = new SpentPieces()
  const [first, second] = [new Uint8Array(4).fill(1), new Uint8Array(4).fill(2)]
  spent.next(first)
  expect(first).toHaveLength(4)
  spent.next(second)
  expect([first.buffer.byteLength, second.length]).toEqual([0, 4])
})

test('views of one buffer are good until the last of them was used up', () => {
  const spent = new SpentPieces()
  const whole = new Uint8Array(4)
  spent.next(whole.subarray(0, 2))
  spent.next(whole.subarray(2))
  expect(whole).toHaveLength(4)
  spent.next(new Uint8Array(1))
  expect(whole).toHaveLength(0)
})
