import { expect, test } from 'bun:test'
import { maskFields, maskSecret } from './mask.ts'

test('shows the ends of a long secret, less of a shorter one, nothing of a short one', () => {
  expect(maskSecret('sk-proj-0123456789abcdefghijklmnopqrs')).toBe('sk-*****qrs')
  expect(maskSecret('0123456789abcdef0123')).toBe('01*****23')
  expect(maskSecret('0123456789abcde')).toBe('*****')
  expect(maskSecret('')).toBe('*****')
  expect(maskFields({ key: '0123456789abcdef', other: 'x' })).toEqual({ key: '01*****ef', other: '*****' })
})
