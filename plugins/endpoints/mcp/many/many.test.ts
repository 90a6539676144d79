import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { publicName } from './names.ts'
import { rankTools, wordsOf } from './rank.ts'

const part = fc.stringMatching(/^[a-zA-Z0-9_-]{1,40}$/)

test('names are such as clients accept, and no two things have the same', () => {
  const seen = new Map<string, string>()
  fc.assert(
    fc.property(part, fc.oneof(part, fc.string({ minLength: 1 })), (slug, name) => {
      const made = publicName(slug, name)
      const own = JSON.stringify([slug, name])
      expect(made).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(seen.get(made) ?? own).toBe(own)
      seen.set(made, own)
    }),
    { numRuns: 1_000 },
  )
})

test('what could be read in two ways has another form', () => {
  expect(publicName('a-b', 'c')).toBe('a-b__c')
  const names = [publicName('a', 'b__c'), publicName('a__b', 'c'), publicName('a_', 'c'), publicName('a', '_c')]
  expect(new Set(names).size).toBe(4)
  expect(names[1]).toStartWith('__')
})

test('tools are ranked by how rare the words are, and names come before descriptions', () => {
  const tools = [
    { name: 'a__list_issues', description: 'Lists the issues of a project.' },
    { name: 'a__createIssue', description: 'Makes one.' },
    { name: 'b__send', description: 'Sends an issue by mail.' },
  ]
  expect(wordsOf('createIssue')).toEqual(['create', 'issue'])
  expect(rankTools(tools, 'create issue', 5).map(({ name }) => name)[0]).toBe('a__createIssue')
  expect(rankTools(tools, 'mail', 5)).toEqual(tools.slice(2))
  expect(rankTools(tools, 'weather', 5)).toEqual([])
})
