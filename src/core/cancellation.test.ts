import { expect, test } from 'bun:test'
import { Cancellation } from './cancellation.ts'

test('tells those who listen, once, with the first reason', () => {
  const cancellation = new Cancellation()
  const heard: unknown[] = []
  const listener = (): void => void heard.push(cancellation.reason)
  const other = (): void => void heard.push('other')
  cancellation.addEventListener('abort', other)
  cancellation.addEventListener('abort', listener)
  cancellation.removeEventListener('abort', other)
  expect([cancellation.aborted, cancellation.reason]).toEqual([false, undefined])
  cancellation.abort('first')
  cancellation.abort('second')
  expect(heard).toEqual(['first'])
  expect([cancellation.aborted, cancellation.reason]).toEqual([true, 'first'])
})

test('who stopped listening hears nothing', () => {
  const cancellation = new Cancellation()
  let heard = 0
  const listener = (): void => void heard++
  cancellation.addEventListener('abort', listener)
  cancellation.removeEventListener('abort', listener)
  cancellation.removeEventListener('abort', listener)
  cancellation.abort('now')
  expect(heard).toBe(0)
})

test('its signal aborts with it, whether it was asked for before or after', () => {
  const cancellation = new Cancellation()
  const before = cancellation.signal
  expect(before.aborted).toBe(false)
  expect(cancellation.signal).toBe(before)
  const reason = new Error('gone')
  cancellation.abort(reason)
  expect([before.aborted, before.reason]).toEqual([true, reason])
  const late = new Cancellation()
  late.abort(reason)
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, reason])
})
