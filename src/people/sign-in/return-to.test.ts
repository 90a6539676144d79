import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ownPath } from './return-to.ts'

describe('where a sign-in may lead back to', () => {
  test.each(['/', '/console/', '/console/records?model=a%2Fb&x=1#top', '/a//b', '/%20', '/%C3%A4'])(
    '%j: yes',
    (path) => {
      expect(ownPath(path, '')).toBe(path)
    },
  )

  test.each([
    ...[
      '',
      'console',
      'https://evil.example',
      'https:evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
    ],
    ...[
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      ' //evil.example',
      '/ /evil.example',
      '/\u00a0/evil',
    ],
    ...['%2F%2Fevil.example', '/%2Fevil.example', '/%2f%2fevil.example', '/%5Cevil.example', '/%252Fevil.example'],
    ...['/.//evil.example', '/x/..//evil.example', '/%2e//evil.example', 'javascript:alert(1)', 'data:text/html,x'],
    ...['@evil.example', '/\u0000', '/\u202e', '/\r\nset-cookie: a=b', 'http://gateway.invalid/x'],
  ])('%j: no', (path) => {
    expect(ownPath(path, '')).toBeUndefined()
  })

  test('nothing that is longer than any page', () => {
    expect([2_047, 2_048].map((length) => ownPath(`/${'x'.repeat(length)}`, '')?.length)).toEqual([2_048, undefined])
  })

  test('only below the prefix of the gateway', () => {
    for (const path of ['/llm', '/llm/console?x']) expect(ownPath(path, '/llm')).toBe(path)
    for (const path of ['/', '/llmx', '/llm/../x', '/llm/..//evil.example', '/llm/%2e%2e/x']) {
      expect(ownPath(path, '/llm')).toBeUndefined()
    }
  })

  test('whatever is let through, a browser that follows it stays here', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '%2f',
      '%5c',
      '%25',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      '\t',
      '\n',
      'http:',
      'a',
    )
    const text = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, fc.constantFrom('', '/llm'), (given, basePath) => {
        for (const tried of [given, `/${given}`, `${basePath}/${given}`]) {
          const path = ownPath(tried, basePath)
          if (path === undefined) continue
          for (const base of ['https://gateway.example/v2/sign-in/callback', 'https://gateway.example']) {
            const target = new URL(path, base)
            expect(target.host).toBe('gateway.example')
            expect(target.protocol).toBe('https:')
            expect(`${target.pathname}/`.startsWith(`${basePath}/`)).toBe(true)
          }
          // Also for what decodes it once more on its way.
          expect(/^\/(?:\/|\\|%2f|%5c)/i.test(path)).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
  })
})
