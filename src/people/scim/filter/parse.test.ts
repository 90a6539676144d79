import { describe, expect, test } from 'bun:test'
import { ScimFault } from '../fault.ts'
import type { Filter } from './filter.ts'
import { parseFilter, parsePath } from './parse.ts'
import { MAX_FILTER_CHARACTERS } from './tokens.ts'

/** A filter as a text that shows how it was read. */
const shown = (filter: Filter): string => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.parts.map(shown).join(` ${filter.kind} `)})`
    case 'not':
      return `not(${shown(filter.part)})`
    case 'value':
      return `${nameOf(filter)}[${shown(filter.filter)}]${filter.test === undefined ? '' : `.${shown(filter.test)}`}`
    case 'present':
      return `${nameOf(filter)} pr`
    case 'compare':
      return `${nameOf(filter)} ${filter.operator} ${JSON.stringify(filter.value)}`
  }
}
const nameOf = ({ path: { urn, name, sub } }: Extract<Filter, { readonly path: unknown }>): string =>
  [urn === undefined ? '' : `${urn}:`, name, sub === undefined ? '' : `.${sub}`].join('')

const thrown = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error instanceof ScimFault ? error.scimType : error
  }
}

// The examples of RFC 7644, section 3.4.2.2, figure 2, and what Entra ID sends (its documentation, read 2026-11-25).
test.each([
  ['userName eq "bjensen"', 'username eq "bjensen"'],
  ['name.familyName co "O\'Malley"', 'name.familyname co "O\'Malley"'],
  ['userName sw "J"', 'username sw "J"'],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    'urn:ietf:params:scim:schemas:core:2.0:user:username sw "J"',
  ],
  ['title pr', 'title pr'],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastmodified gt "2011-05-13T04:42:34Z"'],
  ['title pr and userType eq "Employee"', '(title pr and usertype eq "Employee")'],
  ['title pr or userType eq "Intern"', '(title pr or usertype eq "Intern")'],
  [
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
  ],
  [
    'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
    '(usertype eq "Employee" and (emails co "example.com" or emails.value co "example.org"))',
  ],
  [
    'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
    '(usertype ne "Employee" and not((emails co "example.com" or emails.value co "example.org")))',
  ],
  ['userType eq "Employee" and (emails.type eq "work")', '(usertype eq "Employee" and emails.type eq "work")'],
  [
    'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
    '(usertype eq "Employee" and emails[(type eq "work" and value co "@example.com")])',
  ],
  [
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
    '(emails[(type eq "work" and value co "@example.com")] or ims[(type eq "xmpp" and value co "@foo.com")])',
  ],
  ['emails[type eq "work"].value eq "a@b.c"', 'emails[type eq "work"].value eq "a@b.c"'],
  // `and` binds more than `or`; words in any case; values of JSON.
  ['a EQ 1 Or b Pr AND NOT (c eq True)', '(a eq 1 or (b pr and not(c eq true)))'],
  ['a eq -1.5e3 and b eq null and c eq "\\u00e9\\"\\\\"', '(a eq -1500 and b eq null and c eq "é\\"\\\\")'],
  ['  a  eq  "and or not ( ["  ', 'a eq "and or not ( ["'],
])('%s', (text, read) => {
  expect(shown(parseFilter(text))).toBe(read)
})

describe('what is no filter', () => {
  test.each([
    '',
    'userName',
    'userName eq',
    'userName is "a"',
    'userName eq a',
    'userName eq "a',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    'and eq "a" or',
    '(userName eq "a"',
    'userName eq "a")',
    'emails[type eq "work"',
    'emails[]',
    'not userName pr',
    'a.b.c eq 1',
    '1 eq 1',
    'a eq "\\u0000"',
    'a eq "\\ud800"',
    'a eq "\\x"',
    'a eq\t1',
    "a eq 'b'",
    'a eq "b"; drop table users',
    `a eq "${'b'.repeat(MAX_FILTER_CHARACTERS)}"`,
    `${'('.repeat(33)}a pr${')'.repeat(33)}`,
    `${'('.repeat(10_000)}a pr${')'.repeat(10_000)}`,
    `${'not ('.repeat(700)}a pr`,
    `${'a['.repeat(1_000)}`,
  ])('%p', (text) => {
    expect(thrown(() => parseFilter(text))).toBe('invalidFilter')
  })
})

test('the deepest and the longest that is read', () => {
  expect(shown(parseFilter(`${'('.repeat(32)}a pr${')'.repeat(32)}`))).toBe('a pr')
  const parts = Array.from({ length: 400 }, () => 'a pr')
  expect(parseFilter(parts.join(' or '))).toMatchObject({ kind: 'or', parts: { length: 400 } })
})

test('the path of a change', () => {
  expect(parsePath('name.familyName')).toMatchObject({ path: { name: 'name', sub: 'familyname' } })
  expect(parsePath('members')).toEqual({ path: { text: 'members', name: 'members' } })
  const { path, filter } = parsePath('addresses[type eq "work"].streetAddress')
  expect([path.name, path.sub, filter && shown(filter)]).toEqual(['addresses', 'streetaddress', 'type eq "work"'])
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  expect(parsePath(`${enterprise}:department`).path).toMatchObject({
    urn: enterprise.toLowerCase(),
    name: 'department',
  })
  for (const text of ['', 'a b', 'a[b', 'a[b eq 1]c', 'a eq 1', '.a', 'a.', 'a..b', '[a eq 1]']) {
    expect([text, thrown(() => parsePath(text))]).toEqual([text, 'invalidPath'])
  }
})
