import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { readRedaction } from '../pattern/redaction.ts'
import { type CleaningOptions, cleanBody, MAX_BODY_BYTES } from './clean-body.ts'

const SECRET = 'a-key-of-no-known-form-0123456789'
const clean = (body: string | Uint8Array, options: Partial<CleaningOptions> = {}) => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const { body: kept, isTruncated } = cleanBody(bytes, { secrets: [SECRET], isAnswer: false, ...options })
  return { bytes, kept, text: Buffer.from(kept).toString(), isTruncated }
}
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), randomBytes(3_000)])
const hash = (bytes: Uint8Array): string => Bun.CryptoHasher.hash('sha256', bytes, 'hex')
const NOTE = { type: 'image/png', bytes: PNG.length, sha256: hash(PNG) }

test('a body without anything special is kept as the bytes that it is', () => {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'grüße, what is 1, 2, 3? '.repeat(200) }] })
  const { bytes, kept, isTruncated } = clean(body, { isAnswer: true })
  expect(kept).toBe(bytes)
  expect(isTruncated).toBe(false)
})

describe('images and sound', () => {
  test.each(['base64', 'base64url'] as const)('in %s leave a note of their type, length and hash', (encoding) => {
    const data = PNG.toString(encoding)
    const body = { a: { url: `data:image/webp;base64,${data}`, detail: 'low' }, b: { data }, c: `see ${data}!` }
    expect(JSON.parse(clean(JSON.stringify(body)).text)).toEqual({
      a: { url: { ...NOTE, type: 'image/webp' }, detail: 'low' },
      b: { data: NOTE },
      c: `see [image/png, ${PNG.length} bytes, sha256 ${NOTE.sha256}]!`,
    })
  })

  test('are found where slashes are escaped, and in JSON inside of JSON', () => {
    const inner = JSON.stringify({ url: `data:image/png;base64,${PNG.toString('base64')}` })
    const body = JSON.stringify({ inner })
    expect(JSON.parse(clean(body.replaceAll('/', '\\/')).text)).toEqual({
      inner: `{"url":"[image/png, ${PNG.length} bytes, sha256 ${NOTE.sha256}]"}`,
    })
    const escaped = JSON.stringify({ data: PNG.toString('base64') }).replaceAll('/', '\\/')
    expect(JSON.parse(clean(escaped).text)).toEqual({ data: NOTE })
  })

  test('however large they are, the text behind them is kept', () => {
    const large = randomBytes(6 * 1024 * 1024)
    const body = JSON.stringify({ images: [large.toString('base64'), large.toString('base64')], text: 'behind' })
    const { text, isTruncated } = clean(body)
    // No more than 8 MiB of one message are hashed.
    expect(JSON.parse(text)).toEqual({
      images: [
        { type: 'application/octet-stream', bytes: large.length, sha256: hash(large) },
        { type: 'application/octet-stream', bytes: large.length },
      ],
      text: 'behind',
    })
    expect(isTruncated).toBe(false)
  })

  test('a filling of few letters is text', () => {
    const body = JSON.stringify({ content: 'abcdefgh'.repeat(1_000) })
    expect(clean(body).text).toBe(body)
  })
})

test('vectors of answers leave the count of their numbers', () => {
  const embedding = Array.from({ length: 1536 }, (_, index) => (index - 700) * 1e-5)
  const body = JSON.stringify({
    data: [{ embedding }],
    short: [1, 2, 3],
    embeddings: { float: [embedding, embedding] },
  })
  expect(JSON.parse(clean(body, { isAnswer: true }).text)).toEqual({
    data: [{ embedding: ['1536 numbers'] }],
    short: [1, 2, 3],
    embeddings: { float: [['1536 numbers'], ['1536 numbers']] },
  })
  expect(clean(body).text).toBe(body)
})

describe('secrets', () => {
  const KEY = `weir_${'a1'.repeat(6)}_${'Z9'.repeat(21)}x`
  test.each([
    ['that the call knows of', `it is ${SECRET}.`, 'it is a-*****789.'],
    ['of Weir', `{"k":"${KEY}"}`, '{"k":"we*****Z9x"}'],
    ['of providers', 'sk-proj-0123456789abcdefXYZ and AKIAIOSFODNN7EXAMPLE', 'sk*****XYZ and AK*****PLE'],
    ['inside of a longer word', 'x=1.sk-ant-api03-0123456789abcdef', 'x=1.sk*****def'],
  ])('%s are masked', (_, body, kept) => {
    expect(clean(body).text).toBe(kept)
  })

  test('none is left, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constant(SECRET), fc.constant(KEY))), (parts) => {
        const { text } = clean(parts.join(' '))
        expect(text).not.toContain(SECRET)
        expect(text).not.toContain(KEY)
      }),
    )
  })

  test('nor the half of one, where the body is cut', () => {
    for (let back = 1; back < SECRET.length; back += 5) {
      const cut = clean(`${'. '.repeat(MAX_BODY_BYTES).slice(0, MAX_BODY_BYTES - back)}${SECRET}${'. '.repeat(20_000)}`)
      expect(cut.isTruncated).toBe(true)
      expect(cut.kept.length).toBeLessThanOrEqual(MAX_BODY_BYTES)
      expect(cut.text).not.toContain(SECRET.slice(0, 3))
    }
  })
})

test('a long body is cut behind a whole character', () => {
  const { kept, text, isTruncated } = clean('€'.repeat(MAX_BODY_BYTES))
  expect(isTruncated).toBe(true)
  expect(kept.length).toBe(MAX_BODY_BYTES - (MAX_BODY_BYTES % 3))
  expect(text).not.toContain('\ufffd')
})

describe('what a workspace redacts', () => {
  const redaction = readRedaction(['\\b\\d{3}-\\d{2}-\\d{4}\\b', 'Müller', 'a/b'])

  test('is taken out, also where JSON escapes it', () => {
    const body = '{"a":"M\\u00fcller 123-45-6789","b":"a\\/b","c":"\\\\u00fc \\u0022"}'
    expect(clean(body, { redaction }).text).toBe(
      '{"a":"[redacted] [redacted]","b":"[redacted]","c":"\\\\u00fc \\u0022"}',
    )
  })

  test('no half of it is left where the text is too long to be searched', () => {
    const { maxCharacters } = redaction
    for (const back of [3, 7, 11]) {
      const { text, isTruncated } = clean(`${' '.repeat(maxCharacters - back)}123-45-6789 and on`, { redaction })
      expect(isTruncated).toBe(true)
      expect(text.trim()).toBe('')
    }
  })
})
