import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkPath } from '#calls/pass-through/pass-through'
import { EgressRefused } from '../../../src/errors/gateway-error.ts'

const BASES = ['https://api.provider.test/v1', 'https://api.provider.test', 'http://127.0.0.1:8080/a/b']

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '\\',
    '@',
    ':',
    '?',
    '#',
    ';',
    '..;',
    'http:',
    '%252e',
    '%00',
    ' ',
    '\t',
    'ü',
    '％2e',
    '%',
  ),
  fc.stringMatching(/^[a-z0-9._~:@-]{1,8}$/),
  fc.string({ maxLength: 6, unit: 'binary' }),
)
const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)

/** All that some server could make of a path: decoded once, twice, with backslashes as slashes, without parameters. */
const readings = (text: string): readonly string[] => {
  const decoded = (value: string): string => {
    try {
      return decodeURIComponent(value)
    } catch {
      return value
    }
  }
  const forms = [text, decoded(text), decoded(decoded(text))]
  return forms.flatMap((form) => [form, form.replaceAll('\\', '/'), form.replaceAll(/;[^/]*/g, '')])
}

test('what is let through stays below the base URL, however it is read', () => {
  fc.assert(
    fc.property(path, fc.constantFrom(...BASES), (rest, base) => {
      try {
        checkPath(rest)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(EgressRefused)
        return
      }
      const expected = new URL(base)
      for (const reading of readings(rest)) {
        const made = new URL(`${base}${reading}`)
        expect(made.origin).toBe(expected.origin)
        expect(made.pathname.startsWith(expected.pathname.replace(/\/$/, ''))).toBe(true)
        expect(reading).not.toContain('//')
      }
      // Put together it is what was sent, so nobody reads it otherwise than it was checked.
      expect(new URL(`${base}${rest}`).href).toBe(`${base}${rest}`)
    }),
    { numRuns: 20_000 },
  )
})

test('plain paths pass', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[A-Za-z0-9_~:@!$&'()*+,=-]{1,10}$/), { minLength: 1, maxLength: 6 }),
      (segments) => {
        fc.pre(!segments.some((segment) => /^[a-z][a-z0-9+.-]*:$/i.test(segment)))
        const rest = `/${segments.join('/')}`
        expect(checkPath(rest)).toBe(rest)
        expect(checkPath(`${rest}/`)).toBe(`${rest}/`)
      },
    ),
  )
  expect(checkPath('')).toBe('')
  expect(checkPath('/models/@cf/meta/llama-3.1-8b-instruct:generate')).toBe(
    '/models/@cf/meta/llama-3.1-8b-instruct:generate',
  )
})
