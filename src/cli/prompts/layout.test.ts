import { expect, test } from 'bun:test'
import {
  isFileSlug,
  partialName,
  readPartialFileName,
  readPromptFileName,
  settingsName,
  stemOf,
  templateName,
} from './layout.ts'

test('slugs are names of files that every system takes', () => {
  for (const slug of ['pp-greeti-1a2b3c', 'a', 'a_b', '0', 'x'.repeat(100)]) expect(isFileSlug(slug)).toBe(true)
  const wrong = ['', '.', '..', '../a', 'a/b', 'a\\b', 'a.b', '-a', 'A', 'é', 'a b', 'a\n', 'x'.repeat(101)]
  for (const slug of [...wrong, crypto.randomUUID()]) expect(isFileSlug(slug)).toBe(false)
})

const versions = [
  { isPublished: true, labels: ['staging'] },
  { isPublished: false, labels: ['staging', 'x'] },
  { isPublished: false, labels: ['Staging'] },
  { isPublished: false, labels: ['published'] },
  { isPublished: false, labels: ['x'.repeat(255)] },
  { isPublished: false, labels: [`${'x'.repeat(254)}y`] },
]

test('versions have names that differ, also where letters have no case', () => {
  const stems = versions.map(stemOf)
  expect(stems.slice(0, 2)).toEqual(['published', 'label-staging'])
  expect(new Set(stems.map((stem) => stem.toLowerCase())).size).toBe(versions.length)
})

test('names that are written are read', () => {
  for (const stem of ['prompt', ...versions.map(stemOf)]) {
    expect(readPromptFileName(settingsName(stem))).toEqual({ stem, part: 'settings' })
    for (const kind of ['json', 'txt'] as const) {
      expect(readPromptFileName(templateName(stem, kind))).toEqual({ stem, part: kind })
    }
  }
  for (const isOlder of [true, false]) {
    for (const part of ['settings', 'txt'] as const) {
      expect(readPartialFileName(partialName('pl-a', isOlder, part))).toEqual({ slug: 'pl-a', isOlder, part })
    }
  }
})

test('other names are not', () => {
  for (const name of [
    '',
    'prompt.txt',
    'template',
    'templates.json',
    'label-.json',
    'label-a b.json',
    'x.template.txt',
  ]) {
    expect(readPromptFileName(name)).toBeUndefined()
  }
  for (const name of ['', '.json', 'a', 'a.md', 'A.json', 'a.older.json', 'a.published.md', '../a.json']) {
    expect(readPartialFileName(name)).toBeUndefined()
  }
})
