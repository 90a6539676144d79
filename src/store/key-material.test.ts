import { describe, expect, test } from 'bun:test'
import { createApiKey, describeKey, sameHash } from './key-material.ts'

describe('createApiKey', () => {
  test('makes keys of the documented form that describe themselves', () => {
    const { key, ...description } = createApiKey()
    expect(key).toMatch(/^weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/)
    expect(describeKey(key)).toEqual(description)
    expect(key.split('_')[1]).toBe(description.publicId)
  })

  test('uses every character and repeats nothing', () => {
    const keys = Array.from({ length: 300 }, createApiKey)
    expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(300)
    expect(new Set(keys.flatMap(({ key }) => [...key.slice(5)])).size).toBe(63)
  })

  test('keeps nothing of the secret but a few characters of the mask', () => {
    const { key, publicId, hash, masked } = createApiKey()
    expect(`${publicId} ${hash} ${masked}`).not.toContain(key.slice(-8))
    expect(masked).toBe(`wei*****${key.slice(-3)}`)
  })
})

describe('describeKey', () => {
  const preset = 'operator-chosen-key-0123456789-abcdef'

  test('derives the public id of a foreign key, apart from all of ours', () => {
    expect(describeKey(preset)).toEqual({
      publicId: `x${new Bun.CryptoHasher('sha256').update(`weir-public-id:${preset}`).digest('hex').slice(0, 12)}`,
      hash: new Bun.CryptoHasher('sha256').update(preset).digest('hex'),
      masked: 'ope*****def',
    })
    expect(describeKey(preset).publicId).toHaveLength(13)
  })

  test('takes only the exact form for one of ours', () => {
    const { key, publicId } = createApiKey()
    for (const near of [`${key}x`, ` ${key}`, key.replace('weir_', 'Weir_'), `${key.slice(0, -1)}-`]) {
      expect(describeKey(near).publicId).not.toBe(publicId)
    }
  })

  test('hashes the whole key: one other character is another hash', () => {
    expect(describeKey(`${preset}1`).hash).not.toBe(describeKey(`${preset}2`).hash)
  })

  test('refuses short keys without quoting them', () => {
    const short = 'k'.repeat(31)
    expect(() => describeKey(short)).toThrow(RangeError)
    expect(() => describeKey(short)).not.toThrow(short)
  })
})

test('sameHash compares content and survives different lengths', () => {
  const { hash } = describeKey('a'.repeat(32))
  expect(sameHash(hash, String(hash))).toBe(true)
  expect(
    sameHash(
      hash,
      hash.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toBe(false)
  expect(sameHash(hash, hash.slice(1))).toBe(false)
})
