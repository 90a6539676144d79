import { describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { MasterKeyRefused } from './errors.ts'
import { MasterKey, parseMasterKey } from './master-key.ts'

const parse = (text: string) => parseMasterKey(text, 'WEIR_MASTER_KEY')

describe('parseMasterKey', () => {
  const bytes = randomBytes(32)

  test('reads the same 32 bytes in every spelling, with spaces around', () => {
    const { id } = new MasterKey(bytes)
    for (const text of [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      bytes.toString('base64'),
      bytes.toString('base64').replace('=', ''),
      bytes.toString('base64url'),
      `  ${bytes.toString('base64')}\n`,
    ]) {
      expect(parse(text).id).toBe(id)
    }
  })

  test('takes the hash of a passphrase', () => {
    const passphrase = 'correct horse battery staple again'
    expect(parse(passphrase).id).toBe(new MasterKey(createHash('sha256').update(passphrase).digest()).id)
    expect(parse(`${passphrase}!`).id).not.toBe(parse(passphrase).id)
  })

  test('refuses what is short, naming the variable and not the value', () => {
    for (const text of ['', 'short-master-key', 'x'.repeat(31), `${'x'.repeat(31)}    `]) {
      expect(() => parse(text)).toThrow(MasterKeyRefused)
      expect(() => parse(text)).toThrow('WEIR_MASTER_KEY')
      if (text !== '') expect(() => parse(text)).not.toThrow(text)
    }
  })
})

describe('MasterKey', () => {
  test('derives another key for each purpose, always the same', () => {
    const bytes = randomBytes(32)
    const [first, again] = [new MasterKey(bytes), new MasterKey(bytes)]
    expect(first.derive('a')).toEqual(again.derive('a'))
    expect(first.derive('a')).not.toEqual(first.derive('b'))
    expect(first.derive('a')).toHaveLength(32)
    expect(new MasterKey(randomBytes(32)).derive('a')).not.toEqual(first.derive('a'))
  })

  test('does not show itself', () => {
    const bytes = Buffer.from('an-ascii-master-key-of-32-bytes!')
    const key = new MasterKey(bytes)
    for (const text of [JSON.stringify({ key }), Bun.inspect(key), String(key), Object.keys(key).join()]) {
      for (const spelling of ['utf8', 'hex', 'base64'] as const) expect(text).not.toContain(bytes.toString(spelling))
      expect(text).not.toContain([...bytes].slice(0, 4).join(', '))
    }
  })

  test('has 32 bytes', () => {
    expect(() => new MasterKey(randomBytes(16))).toThrow(RangeError)
  })
})
