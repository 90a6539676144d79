import { expect, test } from 'bun:test'
import type { Call } from '#kit'
import { principal } from '#kit/slots'
import { createCall, createWorld } from '../../../test/support/routing.ts'
import { LegacyUse } from './legacy-use.ts'

const world = createWorld()
const callOf = (keyId?: string): Call => {
  const call = createCall(world, '{}')
  if (keyId !== undefined) {
    call.set(principal, {
      keyId,
      keyName: keyId,
      kind: 'workspace-service',
      organisationId: 'o-1',
      scopes: new Set<string>(),
    })
  }
  return call
}

test('calls are counted by key, those without one together', () => {
  const use = new LegacyUse()
  const counted = ['key-1', 'key-2', 'key-1', undefined, 'key-1', undefined].map((keyId) => use.count(callOf(keyId)))
  expect(counted).toEqual([1, 1, 2, 1, 3, 2])
})

test('no more keys than there is room for, and those that are there are counted on', () => {
  const use = new LegacyUse()
  for (let index = 0; index < 1_200; index++) expect(use.count(callOf(`key-${index}`))).toBe(1)
  expect([use.count(callOf('key-0')), use.count(callOf('key-999'))]).toEqual([2, 2])
  expect([use.count(callOf('key-1000')), use.count(callOf('key-1000'))]).toEqual([1, 1])
})
