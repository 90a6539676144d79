import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { jsonBody, maybe, worded } from './json-body.ts'

const { check } = jsonBody(
  t.Object({
    text: t.String(),
    size: maybe(t.Integer()),
    style: worded(t.Optional(t.Union([t.Literal('plain'), t.Literal('warm')])), 'must be plain or warm'),
    parts: t.Optional(t.Union([t.String(), t.Array(t.Object({ of: t.Object({ type: t.Boolean() }) }))])),
    tags: maybe(worded(t.Union([t.String(), t.Array(t.String())]), 'must be one tag, or several')),
  }),
)

const fault = (body: Record<string, unknown>): unknown => {
  try {
    check(body)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof InvalidRequest)) throw thrown
    return [thrown.options.param, thrown.message]
  }
}

test.each([
  [{}, 'text', 'is required'],
  [{ text: null }, 'text', 'must be a string'],
  [{ text: '', size: 'x' }, 'size', 'must be a whole number'],
  [{ text: '', style: 'loud' }, 'style', 'must be plain or warm'],
  [{ text: '', parts: [{ of: { type: true } }, { of: {} }] }, 'parts[1].of.type', 'is required'],
  [{ text: '', parts: [5] }, 'parts[0]', 'must be an object'],
  [{ text: '', tags: ['a', 5] }, 'tags', 'must be one tag, or several'],
])('names what is wrong with %j', (body, param, problem) => {
  expect(fault(body)).toEqual([param, `\`${param}\` ${problem}.`])
})

test('lets what fits pass, unknown fields and null for what may be left out included', () => {
  expect(fault({ text: '', size: null, tags: null, theirs: { own: 1 } })).toBeUndefined()
  expect(
    fault({ text: 'a', size: 1, style: 'warm', parts: [{ of: { type: false }, more: 1 }], tags: [] }),
  ).toBeUndefined()
})
