import { describe, expect, test } from 'bun:test'
import { logWords } from './log-words.ts'

describe('words of a provider in a log', () => {
  test.each([
    ['Incorrect API key provided: sk-proj-abcDEF0123456789_xyz.', 'sk-proj'],
    ['Authorization: Bearer abc.def is not valid', 'abc.def'],
    ['You sent Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
    ['API key AIzaSyA1234567890abcdefghijklmnopqrstuv not valid', 'AIzaSy'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_ghi', 'eyJ'],
    ['{"api_key": "0123456789abcdef"} is wrong', '0123456789abcdef'],
    ['?key=0123456789abcdef&x=1', '0123456789abcdef'],
    ['seen AKIAIOSFODNN7EXAMPLE here', 'AKIA'],
    ['no route to /accounts/cfut_0123456789abcdef/ai with csk-0123456789abcdef', '0123456789abcdef'],
    ['weir_abcdefghijkl_0123456789012345678901234567890123456789012', 'weir_'],
    [`hash ${'0a1b'.repeat(16)} unknown`, '0a1b'],
    // A key may stand where the text is cut.
    [`${'x '.repeat(95)}sk-ant-api03-0123456789`, 'sk-ant'],
  ])('%p holds no credential', (text, secret) => {
    expect(logWords(text)).not.toContain(secret)
    expect(logWords(text)).toContain('[redact')
  })

  test.each([
    'The model `gpt-5-mini-2026-01-01` does not exist or you do not have access to it.',
    'Rate limit reached for requests per min (RPM): Limit 3, Used 3. Request id: req_011CSHoEeqs5C35K2UUqR7Fy.',
    'This model’s maximum context length is 128000 tokens.',
    'accounts/fireworks/models/llama-v3p1-405b-instruct is not there (6f1c1f6e-8b0c-4e53-9f0e-1d5a1c3f7a55).',
  ])('%p stays as it is', (text) => {
    expect(logWords(text)).toBe(text)
  })

  test('are not longer than 200 characters, whatever comes', () => {
    const text = 'too long '.repeat(1_000_000)
    const startMs = performance.now()
    expect(logWords(text)).toBe(`${text.slice(0, 199)}…`)
    for (const hostile of ['key '.repeat(1e6), 'bearer '.repeat(1e6), '"'.repeat(1e6), 'key:'.repeat(1e6)]) {
      expect(logWords(hostile).length).toBeLessThanOrEqual(200)
    }
    expect(performance.now() - startMs).toBeLessThan(5_000)
  })
})
