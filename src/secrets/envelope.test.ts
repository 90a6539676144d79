import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { open, type SealContext, seal, versionOf } from './envelope.ts'
import { SecretUnreadable } from './errors.ts'

const key = { version: 3, bytes: randomBytes(32) }
const context = ['organisation', 'record', 'field']

/** What opening gives, or `undefined` where it is refused; any other failure fails the test. */
const tryOpen = (sealed: string, inContext: SealContext = context, with_ = key): string | undefined => {
  try {
    return open(with_, inContext, sealed).toString()
  } catch (error) {
    expect(error).toBeInstanceOf(SecretUnreadable)
    return undefined
  }
}

test('opens what was sealed, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
      (text, where) => {
        expect(tryOpen(seal(key, where, text), where)).toBe(text)
      },
    ),
  )
  const bytes = randomBytes(1_000)
  expect(open(key, context, seal(key, context, bytes))).toEqual(bytes)
})

test('writes its format and the version of the key first', () => {
  const sealed = seal(key, context, 'secret')
  expect(sealed).toMatch(/^v1\.3\.[\w-]{16}\.[\w-]+$/)
  expect(versionOf(sealed)).toBe(3)
})

test('refuses a text in which any character was changed', () => {
  const sealed = seal(key, context, 'a secret of the operator')
  const alphabet = 'ABCXYZabcxyz0189-_.=+/ v\n'
  for (let index = 0; index < sealed.length; index++) {
    for (const character of alphabet) {
      if (character === sealed[index]) continue
      expect(tryOpen(sealed.slice(0, index) + character + sealed.slice(index + 1))).toBeUndefined()
    }
    expect(tryOpen(sealed.slice(0, index))).toBeUndefined()
    expect(tryOpen(sealed.slice(0, index) + sealed.slice(index + 1))).toBeUndefined()
  }
  expect(tryOpen(`${sealed}A`)).toBeUndefined()
  expect(tryOpen(`${sealed}.`)).toBeUndefined()
})

test('refuses a text in which any bit was flipped', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.integer({ min: 0, max: 7 }), (text, at, bit) => {
      const [format, version, nonce, body] = seal(key, context, text).split('.')
      const bytes = Buffer.concat([Buffer.from(nonce ?? '', 'base64url'), Buffer.from(body ?? '', 'base64url')])
      const index = at % bytes.length
      bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index)
      const parts = [bytes.subarray(0, 12), bytes.subarray(12)].map((part) => part.toString('base64url'))
      expect(tryOpen([format, version, ...parts].join('.'))).toBeUndefined()
    }),
  )
})

test('refuses a text in any other place', () => {
  const part = fc.string({ maxLength: 4 })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 4 }), (here, there) => {
      fc.pre(JSON.stringify(here) !== JSON.stringify(there))
      expect(tryOpen(seal(key, here, 'secret'), there)).toBeUndefined()
    }),
  )
  // The same letters, cut in another place.
  expect(tryOpen(seal(key, ['ab', 'c'], 'secret'), ['a', 'bc'])).toBeUndefined()
})

test('refuses another key, and another version of the same', () => {
  const sealed = seal(key, context, 'secret')
  expect(tryOpen(sealed, context, { ...key, bytes: randomBytes(32) })).toBeUndefined()
  expect(tryOpen(sealed, context, { ...key, version: 4 })).toBeUndefined()
  expect(tryOpen(sealed.replace('v1.3.', 'v1.4.'), context, { ...key, version: 4 })).toBeUndefined()
})

test('uses no nonce twice, and says nothing of the secret', () => {
  const sealed = Array.from({ length: 20_000 }, () => seal(key, context, 'the same secret'))
  expect(new Set(sealed.map((text) => text.split('.')[2])).size).toBe(sealed.length)
  expect(new Set(sealed.map((text) => text.split('.')[3])).size).toBe(sealed.length)
})

test('refuses what is no sealed text without quoting it', () => {
  for (const text of ['', 'sk-plain-secret', 'v1.1.x', 'v2.3.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'v1.0.a.b']) {
    expect(() => versionOf(text)).toThrow(SecretUnreadable)
    if (text !== '') expect(() => open(key, context, text)).not.toThrow(text)
  }
})
