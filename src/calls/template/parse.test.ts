import { describe, expect, test } from 'bun:test'
import { BOUNDS } from './bounds.ts'
import { TemplateError } from './errors.ts'
import { parseTemplate } from './parse.ts'

/** What was thrown, as `message`, line and column. */
const refusal = (text: string): readonly [string, number, number] => {
  try {
    parseTemplate(text)
  } catch (thrown) {
    if (thrown instanceof TemplateError) return [thrown.message, thrown.line, thrown.column]
    throw thrown
  }
  throw new Error(`'${text}' was not refused`)
}

describe('what is refused, and where', () => {
  test.each([
    ['{{name', "the tag is never closed with '}}' (line 1, column 1)"],
    ['ab {{', "the tag is never closed with '}}' (line 1, column 4)"],
    ['{{{name}} }', "the tag is never closed with '}}}' (line 1, column 1)"],
    ['{{! a } b', "the tag is never closed with '}}' (line 1, column 1)"],
    ['{{}}', 'the tag has no name (line 1, column 1)'],
    ['{{#  }}', 'the tag has no name (line 1, column 1)'],
    ['{{{ }}}', 'the tag has no name (line 1, column 1)'],
    ['{{>>}}', 'the tag has no name (line 1, column 1)'],
    ['a\n  {{#one}} b', "the section 'one' is never closed (line 2, column 3)"],
    ['{{#a}}{{#b}}{{/b}}', "the section 'a' is never closed (line 1, column 1)"],
    ['{{^a}}', "the section 'a' is never closed (line 1, column 1)"],
    ['a\r\nb{{/one}}', "no section 'one' is open here (line 2, column 2)"],
    ['{{#a}}\n{{#b}}\n{{/a}}{{/b}}', "'a' cannot close the section 'b' (line 3, column 1)"],
    ['x {{=<% %>=}}', 'delimiters cannot be changed (line 1, column 3)'],
    ['{{ a{b }}', 'a name cannot hold braces or line breaks (line 1, column 1)'],
    ['{{a\nb}}', 'a name cannot hold braces or line breaks (line 1, column 1)'],
    ['{{a..b}}', "'a..b' has an empty part beside a dot (line 1, column 1)"],
    ['{{#.a}}{{/.a}}', "'.a' has an empty part beside a dot (line 1, column 1)"],
    ['{{>>a.}}', "'a.' has an empty part beside a dot (line 1, column 1)"],
    ['{{>p@prod}}', /^'p@prod' is no partial: .* \(line 1, column 1\)$/],
    ['{{>p@}}', /^'p@' is no partial/],
    ['{{>p q}}', /^'p q' is no partial/],
    ['{{>p@5@6}}', /^'p@5@6' is no partial/],
    [`{{${'x'.repeat(257)}}}`, 'a name has at most 256 characters (line 1, column 1)'],
    [`\n\n${'{{#a}}'.repeat(33)}`, 'more than 32 sections in one another (line 3, column 193)'],
  ])('%s', (text, message) => {
    const [said, line, column] = refusal(text)
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
    expect(said).toContain(`(line ${line}, column ${column})`)
  })

  test('a template of over 1 Mi characters', () => {
    expect(() => parseTemplate('x'.repeat(BOUNDS.templateCharacters + 1))).toThrow(
      'the template has 1048577 characters, 1048576 are allowed (line 1, column 1048577)',
    )
    expect(parseTemplate('x'.repeat(BOUNDS.templateCharacters)).nodes.length).toBe(1)
  })
})

describe('what is allowed', () => {
  test.each([
    'no tags',
    '}} {a} {"b":{"c":{}}}',
    '{{ user name }}',
    '{{größe}}',
    '{{ "a":1 }}',
    '{{#a}}{{#a}}{{/a}}{{/a}}',
    `${'{{#a}}'.repeat(32)}${'{{/a}}'.repeat(32)}`,
    `{{${'x'.repeat(256)}}}`,
    '{{!\n many } lines = # \n}}',
    '{{! {{ }}',
    '{{>a-B_9}}{{> 5f0c33f2-4a5b-4f4e-a1b2-0d5f6f2c1a77@12 }}{{>p@latest}}',
  ])('%s', (text) => {
    expect(parseTemplate(text).text).toBe(text)
  })
})

test('a template says what it refers to, each once and in order', () => {
  const text =
    '{{b}}{{{a}}}{{&c}}{{#s}}{{.}}{{d.e}}{{b}}{{/s}}{{^t}}{{/t}}{{>p}}{{> q@2 }}{{>p}}{{>>v w}}{{!no}}{{#s}}{{>p@latest}}{{/s}}'
  const { variables, partials, variablePartials } = parseTemplate(text)
  expect({ variables, partials, variablePartials }).toEqual({
    variables: ['b', 'a', 'c', 's', 'd.e', 't'],
    partials: ['p', 'q@2', 'p@latest'],
    variablePartials: ['v w'],
  })
})
