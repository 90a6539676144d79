import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { nullable } from '../fields.ts'
import { outsideTag, tagOf } from './entity-tag.ts'

const Limit = t.Object({ value: t.Integer(), used: outsideTag(t.Integer()) })
const Shown = t.Object({
  name: t.String(),
  tags: t.Record(t.String(), t.Unknown()),
  limit: nullable(Limit),
  limits: t.Array(Limit),
  seen_at: t.Optional(outsideTag(t.String())),
})

const shown = {
  name: 'one',
  tags: { used: 1 },
  limit: { value: 60, used: 1 },
  limits: [{ value: 5, used: 2 }],
}

describe('the tag of what is shown', () => {
  test('is a strong one, and the same for the same', () => {
    expect(tagOf(Shown, shown)).toMatch(/^"[A-Za-z0-9_-]{43}"$/)
    expect(tagOf(Shown, structuredClone(shown))).toBe(tagOf(Shown, shown))
  })

  test('is another one for each change of what counts', () => {
    const changes = [
      { ...shown, name: 'two' },
      { ...shown, tags: { used: 2 } },
      { ...shown, tags: {} },
      { ...shown, limit: null },
      { ...shown, limit: { value: 61, used: 1 } },
      { ...shown, limits: [] },
      {
        ...shown,
        limits: [
          { value: 5, used: 2 },
          { value: 5, used: 2 },
        ],
      },
    ]
    expect(new Set([shown, ...changes].map((each) => tagOf(Shown, each))).size).toBe(changes.length + 1)
  })

  test('does not change with what is outside of it, however deep that stands', () => {
    const same = [
      { ...shown, limit: { value: 60, used: 9 } },
      { ...shown, limits: [{ value: 5, used: 9 }] },
      { ...shown, seen_at: '2026-01-01T00:00:00Z' },
    ]
    for (const each of same) expect(tagOf(Shown, each)).toBe(tagOf(Shown, shown))
  })

  test('is that of a bare list too, and of an object whose schema leaves nothing out', () => {
    const List = t.Array(t.Object({ id: t.String() }))
    expect(tagOf(List, [{ id: 'a' }])).not.toBe(tagOf(List, [{ id: 'b' }]))
    expect(tagOf(t.Object({ at: t.String() }), { at: new Date(0) })).toBe(
      tagOf(t.Object({ at: t.String() }), { at: '1970-01-01T00:00:00.000Z' }),
    )
  })
})
