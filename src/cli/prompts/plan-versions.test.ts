import { describe, expect, test } from 'bun:test'
import type { Entry } from './entries.ts'
import { planVersions } from './plan-versions.ts'
import type { StoredVersions } from './stored-versions.ts'

/** Versions whose content is a text: those of a database, from number 1 on. */
const stored = (
  contents: readonly string[],
  published: number,
  labels: Readonly<Record<string, number>> = {},
): StoredVersions<string> => ({
  newest: contents.length,
  published,
  labels: new Map(Object.entries(labels)),
  contentAt: async (number) => contents[number - 1] ?? '',
  find: async (key) => contents.lastIndexOf(key) + 1 || undefined,
  keyOf: (content) => content,
})

type Version = readonly [content: string, ...references: readonly string[]]

/** `published` is a reference like a label. */
const entry = (newest: Version, ...kept: readonly Version[]): Entry<string> => {
  const [first, ...older] = [newest, ...kept].map(([content, ...references]) => ({
    content,
    isPublished: references.includes('published'),
    labels: references.filter((name) => name !== 'published'),
  }))
  if (first === undefined) throw new Error('There is no version.')
  return { slug: 'pp-a', name: 'A', newest: first, kept: older }
}

const plan = (files: Entry<string>, versions?: StoredVersions<string>) =>
  planVersions(files, (content) => content, versions)

const NOTHING = { adds: [], labels: [], strays: [] }

describe('nothing is to be done', () => {
  test('for what is there', async () => {
    expect(await plan(entry(['c', 'published', 'x']), stored(['a', 'b', 'c'], 3, { x: 3 }))).toEqual(NOTHING)
    expect(await plan(entry(['c'], ['a', 'published'], ['b', 'x']), stored(['a', 'b', 'c'], 1, { x: 2 }))).toEqual(
      NOTHING,
    )
  })

  test('for references to a version that says the same', async () => {
    expect(await plan(entry(['a', 'published', 'x']), stored(['a', 'b', 'a'], 1, { x: 1 }))).toEqual(NOTHING)
    expect(await plan(entry(['c'], ['a', 'published', 'x']), stored(['a', 'a', 'c'], 1, { x: 2 }))).toEqual(NOTHING)
  })
})

describe('new versions', () => {
  test('of something new: the newest comes last, and what the files say is published', async () => {
    expect(await plan(entry(['c', 'x'], ['a', 'y'], ['b', 'published']))).toEqual({
      adds: [
        { number: 1, content: 'a' },
        { number: 2, content: 'b' },
        { number: 3, content: 'c' },
      ],
      labels: [
        { name: 'y', to: 1 },
        { name: 'x', to: 3 },
      ],
      strays: [],
      publication: { to: 2 },
    })
  })

  test('a changed one is added, its references move', async () => {
    expect(await plan(entry(['b', 'published', 'x']), stored(['a'], 1, { x: 1 }))).toEqual({
      adds: [{ number: 2, content: 'b' }],
      labels: [{ name: 'x', from: 1, to: 2 }],
      strays: [],
      publication: { from: 1, to: 2 },
    })
  })

  test('what an older one said is added again, as the newest', async () => {
    expect(await plan(entry(['a', 'published']), stored(['a', 'b'], 2))).toEqual({
      ...NOTHING,
      adds: [{ number: 3, content: 'a' }],
      publication: { from: 2, to: 3 },
    })
  })

  test('an older one that is there is used again, the newest of its kind', async () => {
    expect(await plan(entry(['c', 'published'], ['a', 'x']), stored(['a', 'a', 'c'], 3))).toEqual({
      ...NOTHING,
      labels: [{ name: 'x', to: 2 }],
    })
  })

  test('an older one that is not there is added in front of the newest, which stays the newest', async () => {
    expect(await plan(entry(['c', 'published'], ['b', 'x']), stored(['c'], 1))).toEqual({
      adds: [
        { number: 2, content: 'b' },
        { number: 3, content: 'c' },
      ],
      labels: [{ name: 'x', to: 2 }],
      strays: [],
    })
  })

  test('those that say the same are one', async () => {
    expect(await plan(entry(['c', 'published'], ['c', 'x'], ['b', 'y'], ['b', 'z']))).toEqual({
      adds: [
        { number: 1, content: 'b' },
        { number: 2, content: 'c' },
      ],
      labels: [
        { name: 'x', to: 2 },
        { name: 'y', to: 1 },
        { name: 'z', to: 1 },
      ],
      strays: [],
      publication: { to: 2 },
    })
  })
})

test('labels that the files do not name are told', async () => {
  expect(await plan(entry(['b', 'published']), stored(['a', 'b'], 2, { x: 1, y: 2 }))).toEqual({
    ...NOTHING,
    strays: [
      { name: 'x', from: 1 },
      { name: 'y', from: 2 },
    ],
  })
})
