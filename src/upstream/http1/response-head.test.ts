import { describe, expect, test } from 'bun:test'
import { parseHead } from './response-head.ts'

const head = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('')

describe('the head of an answer', () => {
  test('is a status and headers: names in lower case, values without the blanks around them', () => {
    expect(
      parseHead(head('HTTP/1.1 207 Some Thing', 'Content-Type:text/plain', 'X-A: \t a b\t ', 'x-empty:', 'x-a:2')),
    ).toEqual({
      status: 207,
      minor: 1,
      headers: [
        ['content-type', 'text/plain'],
        ['x-a', 'a b'],
        ['x-empty', ''],
        ['x-a', '2'],
      ],
    })
  })

  test.each([
    ['HTTP/1.0 200 OK', 0],
    ['HTTP/1.1 200', 1],
    ['HTTP/1.1 200 ', 1],
    ['HTTP/1.1 200 \u00e9 \u00ff', 1],
    ['HTTP/1.1 999 ?', 1],
  ])('may begin with %p', (line, minor) => {
    expect(parseHead(head(line)).minor).toBe(minor)
  })

  test('keeps bytes above ASCII as they are', () => {
    expect(parseHead(head('HTTP/1.1 200 OK', 'x: \u00a0\u00e9\u00c9\u00ff')).headers).toEqual([
      ['x', '\u00a0\u00e9\u00c9\u00ff'],
    ])
  })

  test.each([
    ['another version', head('HTTP/1.2 200 OK')],
    ['another protocol', head('ICY 200 OK')],
    ['HTTP/2', head('HTTP/2 200 OK')],
    ['a version in lower case', head('http/1.1 200 OK')],
    ['a status of two digits', head('HTTP/1.1 20 OK')],
    ['a status of four digits', head('HTTP/1.1 2000 OK')],
    ['a status that begins with 0', head('HTTP/1.1 020 OK')],
    ['a signed status', head('HTTP/1.1 +20 OK')],
    ['two spaces before the status', head('HTTP/1.1  200 OK')],
    ['a tab before the status', head('HTTP/1.1\t200 OK')],
    ['a space before the status line', head(' HTTP/1.1 200 OK')],
    ['a bare carriage return in the reason', head('HTTP/1.1 200 O\rK')],
    ['a NUL in the reason', head('HTTP/1.1 200 O\u0000K')],
    ['a bare carriage return in a value', head('HTTP/1.1 200 OK', 'x: a\rb: c')],
    ['a bare line feed in a value', head('HTTP/1.1 200 OK', 'x: a\nb: c')],
    ['a line that ends with a line feed alone', 'HTTP/1.1 200 OK\nx: a\r\n'],
    ['a NUL in a value', head('HTTP/1.1 200 OK', 'x: a\u0000b')],
    ['an escape in a value', head('HTTP/1.1 200 OK', 'x: \u001b[1m')],
    ['a folded line', head('HTTP/1.1 200 OK', 'x: a', ' b')],
    ['a folded line with a tab', head('HTTP/1.1 200 OK', 'x: a', '\tb')],
    ['a folded line right after the status', head('HTTP/1.1 200 OK', ' x: a')],
    ['a space before the colon', head('HTTP/1.1 200 OK', 'x : a')],
    ['a tab before the colon', head('HTTP/1.1 200 OK', 'x\t: a')],
    ['a space in a name', head('HTTP/1.1 200 OK', 'x y: a')],
    ['no name', head('HTTP/1.1 200 OK', ': a')],
    ['no colon', head('HTTP/1.1 200 OK', 'x')],
    ['a name above ASCII', head('HTTP/1.1 200 OK', '\u00e9: a')],
    ['an empty line inside', head('HTTP/1.1 200 OK', '', 'x: a')],
    ['nothing at all', ''],
    ['an unfinished line', 'HTTP/1.1 200 OK\r\nx: a'],
  ])('is refused: %s', (_name, text) => {
    expect(() => parseHead(text)).toThrow('Malformed')
  })

  test('has 200 headers at most', () => {
    const lines = Array.from({ length: 201 }, (_, index) => `x-${index}: ${index}`)
    expect(parseHead(head('HTTP/1.1 200 OK', ...lines.slice(1))).headers).toHaveLength(200)
    expect(() => parseHead(head('HTTP/1.1 200 OK', ...lines))).toThrow('too many headers')
  })

  test('is read in a time that grows with its length alone', () => {
    const startMs = performance.now()
    for (const line of ['x'.repeat(65_000), `${'x'.repeat(30_000)}:${' '.repeat(30_000)}\r`, 'a:\r\n'.repeat(16_000)]) {
      expect(() => parseHead(`HTTP/1.1 200 OK\r\n${line}`)).toThrow('Malformed')
    }
    expect(performance.now() - startMs).toBeLessThan(5_000)
  })
})
