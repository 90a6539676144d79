import { expect, test } from 'bun:test'
import { samplesOf, toWav } from './wav.ts'

test('a file of samples gives them back', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4)
  const file = toWav({ bytes, rate: 24_000 })
  expect(file).toHaveLength(48)
  expect(new DataView(file.buffer, file.byteOffset).getUint32(24, true)).toBe(24_000)
  expect([...(samplesOf(file) ?? [])]).toEqual([1, 2, 3, 4])
})

test('finds the samples behind another chunk of odd length', () => {
  const file = Buffer.from(toWav({ bytes: Uint8Array.of(5, 6), rate: 8000 }))
  const other = Buffer.concat([file.subarray(0, 36), Buffer.from('LIST\x03\0\0\0abc\0', 'latin1'), file.subarray(36)])
  expect([...(samplesOf(other) ?? [])]).toEqual([5, 6])
})

test.each([[''], ['RIFF'], ['ID3 and so on, which is no such file'], ['RIFF\0\0\0\0WAVE']])('no file: %p', (text) => {
  expect(samplesOf(Buffer.from(text, 'latin1'))).toBeUndefined()
})
