import { describe, expect, test } from 'bun:test'
import { TemplateError } from './errors.ts'
import { parsePrompt } from './prompt.ts'

const kindOf = (text: string, isRaw: boolean) => parsePrompt(text, { isRaw }).kind

const refusal = (text: string, isRaw: boolean): string => {
  try {
    parsePrompt(text, { isRaw })
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown
    expect(thrown.message).toContain(`(line ${thrown.line}, column ${thrown.column})`)
    return thrown.message
  }
  throw new Error(`'${text}' was not refused`)
}

const MESSAGE = '{"role":"user","content":"hi"}'

describe('chat or text', () => {
  test.each([
    [`[${MESSAGE}]`],
    [` \n[ ${MESSAGE} , ${MESSAGE} ]\n`],
    [`{"messages":[${MESSAGE}]}`],
    ['[{"name":"a","role":"user","content":null}]'],
    ['[{"role":"user","content":"{{x}}"}]'],
    ['[{"role":"assistant","tool_calls":[{"function":{"arguments":"{\\"a\\":{{x}}}"}}]}]'],
  ])('chat: %s', (text) => {
    expect(kindOf(text, false)).toBe('chat')
    expect(kindOf(text, true)).toBe('chat')
  })

  test.each([
    ['Hello {{name}}'],
    [''],
    ['{{#a}}[{{/a}}'],
    ['[INST] {{question}} [/INST]'],
    ['[{{name}}]: hello'],
    ['"a string"'],
    ['{"question": "{{q}}"}'],
    ['Say [{"role":"user","content":"hi"}]'],
  ])('text, raw or not: %s', (text) => {
    expect(kindOf(text, false)).toBe('text')
    expect(kindOf(text, true)).toBe('text')
  })

  test.each([
    ['[]'],
    ['[1, 2]'],
    ['["a"]'],
    ['[{"name":"Anna"},{"name":"Ben"}]'],
    ['[{"name":"Anna"}] Write a story about these.'],
    ['[{{#a}}1{{/a}}]'],
  ])('text when not raw: %s', (text) => {
    expect(kindOf(text, false)).toBe('text')
  })

  test.each([
    [`[{{#a}}${MESSAGE}{{/a}}]`],
    [`[{{>first}}, ${MESSAGE}]`],
    [`[{{>>first}}]`],
    ['[{{! one or the other }}{{#a}}1{{/a}}'.replace('1', MESSAGE).concat(']')],
    [`{{! about }} [${MESSAGE}{{#l}},${MESSAGE}{{/l}}]`],
    [`{"messages":[{{^a}}${MESSAGE}{{/a}}]}`],
    ['[{"role":{{#a}}"user"{{/a}}{{^a}}"system"{{/a}},"content":[{{#b}}{"type":"text","text":"{{.}}"}{{/b}}]}]'],
    ['[{"role":"user"{{#name}},"name":"{{name}}"{{/name}}}]'],
  ])('chat when raw: %s', (text) => {
    expect(kindOf(text, true)).toBe('chat')
  })
})

describe('broken messages are refused, with the place', () => {
  test.each([
    ['[{"role":"user","content":"{{x}"}]', "the tag is never closed with '}}' (line 1, column 28)"],
    // The place is that of the text as saved: what is before it in the string has escapes.
    ['[{"role":"user",\n "content":"a\\n\\u00e9\\"{{#x}}"}]', "the section 'x' is never closed (line 2, column 24)"],
    [
      '[{"role":"user","content":"{{#x}}"},{"role":"user","content":"{{/x}}"}]',
      "the section 'x' is never closed (line 1, column 28)",
    ],
    ['[{"role":"user","content":"{{/x}}"}]', "no section 'x' is open here (line 1, column 28)"],
    ['[{"role":"{{r}}","content":"x"}]', 'a role cannot have tags in it (line 1, column 10)'],
    ['[{"role":"us{{!x}}er","content":"x"}]', 'a role cannot have tags in it (line 1, column 10)'],
    ['[{"role":"user","{{k}}":"x"}]', 'a key cannot have tags in it (line 1, column 17)'],
    ['[{"role":"user","content":[{"{{k}}":"x"}]}]', 'a key cannot have tags in it (line 1, column 29)'],
    ['[{"role":"user","content":{{x}}}]', 'a value can only stand inside a string (line 1, column 27)'],
    ['[{"role":"user","content":[{{{x}}}]}]', 'a value can only stand inside a string (line 1, column 28)'],
    ['[{"role":"user","content":[{{&x}}]}]', 'a value can only stand inside a string (line 1, column 28)'],
    ['[{"role":"user"},\n{"content":"x"}]', 'the message has no role (line 2, column 1)'],
    ['[{"role":"user"},"x"]', 'a message must be an object (line 1, column 18)'],
    ['[{"role":"user"},[]]', 'a message must be an object (line 1, column 18)'],
    ['[{"role":""}]', 'a role must be a text (line 1, column 10)'],
    ['[{"role":1}]', 'a role must be a text (line 1, column 10)'],
    ['[{"role":["user"]}]', 'a role must be a text (line 1, column 10)'],
    ['[{"role":"user","content":5}]', 'content must be a text, a list of parts, or null (line 1, column 27)'],
    ['[{"role":"user","content":{}}]', 'content must be a text, a list of parts, or null (line 1, column 27)'],
    ['[{"role":"user","__proto__":{}}]', "the key '__proto__' is never allowed (line 1, column 17)"],
    ['[{"role":"user","content":"a\nb"}]', /^a line break or control character .* \(line 1, column 29\)$/],
    ['[{"role":"user","content":"\\x"}]', 'this is not an escape of JSON (line 1, column 28)'],
    ['[{"role":"user","content":"\\u12G4"}]', 'this is not an escape of JSON (line 1, column 28)'],
    ['[{"role":"user","content":"x}]', 'the string is never closed (line 1, column 27)'],
    ['[{"role":"user","content":"x\\', 'this is not an escape of JSON (line 1, column 29)'],
    ['[{"role":"user"}', 'the bracket is never closed (line 1, column 1)'],
    ['[{"role":"user"', 'the bracket is never closed (line 1, column 2)'],
    ['[{"role":"user"]', 'no such bracket is open here (line 1, column 16)'],
    ['[{"role":"user"}]]', 'no such bracket is open here (line 1, column 18)'],
    ['[{"role":"user"}] x', 'this is not JSON (line 1, column 19)'],
    ['[{"role":"user"}] []', 'nothing may follow the list of messages (line 1, column 19)'],
    ['[{"role":"user"},]', 'here a value should be (line 1, column 18)'],
    ['[{"role":"user"} {"role":"user"}]', "here ',' or ']' should be (line 1, column 18)"],
    ['[{"role":"user",}]', 'here a key should be (line 1, column 17)'],
    ['[{"role" "user"}]', "here ':' should be (line 1, column 10)"],
    ['[{"role":}]', 'here a value should be (line 1, column 10)'],
    ['[{"role":,}]', 'here a value should be (line 1, column 10)'],
    ['[{"role":"user","n":01}]', "here ',' or '}' should be (line 1, column 22)"],
    ['[{"role":"user","n":tru}]', 'this is not JSON (line 1, column 21)'],
    ['[{"role":"user","a":1,2:3}]', 'a key must be a string (line 1, column 23)'],
    ['[{"role":"user","a":1,[]:3}]', 'here a key should be (line 1, column 23)'],
    [`[{"role":"user","a":${'['.repeat(31)}`, 'more than 32 brackets in one another (line 1, column 51)'],
    ['{"messages":[{"role":"user"}],"model":"m"}', /^beside the key 'messages' .* \(line 1, column 39\)$/],
  ])('raw or not: %s', (text, message) => {
    for (const isRaw of [false, true]) {
      const said = refusal(text, isRaw)
      if (typeof message === 'string') expect(said).toBe(message)
      else expect(said).toMatch(message)
    }
  })

  test.each([
    [`[{{#a}}${MESSAGE}{{/a}}]`, /^a tag can only stand inside a string; .*is_raw_template \(line 1, column 2\)$/],
    [`[\n{{>p}} ${MESSAGE}]`, /^a tag can only stand inside a string; .* \(line 2, column 1\)$/],
    [`[${MESSAGE}{{! x }}]`, /^a tag can only stand inside a string; .* \(line 1, column 32\)$/],
  ])('when not raw: %s', (text, message) => {
    expect(refusal(text, false)).toMatch(message)
  })

  test.each([
    ['[]', 'a chat prompt needs at least one message (line 1, column 1)'],
    ['[{"name":"Anna"}]', 'the message has no role (line 1, column 2)'],
    [`[{{#a}}${MESSAGE}]`, "the section 'a' is never closed (line 1, column 2)"],
    [`[{{#a}}"{{/a}}"]`, "no section 'a' is open here (line 1, column 9)"],
    [`[{{#a}}${MESSAGE}{{/a}}`, 'the bracket is never closed (line 1, column 1)'],
    [`[{{#a}}${MESSAGE}{{/a}},\n${MESSAGE} {{^a}}x{{/a}}]`, 'this is not JSON (line 2, column 38)'],
    [`[{{#a}}${MESSAGE}{{/a}} ${MESSAGE},]`, "here ',' or ']' should be (line 1, column 45)"],
    ['[{"role":{{#a}}"us{{x}}"{{/a}}}]', 'a role cannot have tags in it (line 1, column 16)'],
    ['[{"role":"user",{{#a}}"{{k}}"{{/a}}:1}]', 'a key cannot have tags in it (line 1, column 23)'],
    ['[{"role":"user"{{#a}}{{b}}{{/a}}}]', 'a value can only stand inside a string (line 1, column 22)'],
    ['{"messages":{{#a}}1{{/a}}}', "'messages' must be a list (line 1, column 19)"],
    ['{"messages":[]{{#a}},"x":1{{/a}}{{^a}},"y":2{{/a}}}', /^beside the key 'messages' .* \(line 1, column 26\)$/],
    [`[${MESSAGE},{{#a}}${MESSAGE},{{/a}}]`, 'here a value should be (line 1, column 76)'],
  ])('when raw: %s', (text, message) => {
    const said = refusal(text, true)
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })

  test('a text prompt with a broken tag', () => {
    expect(refusal('a\n{{#b}}', false)).toBe("the section 'b' is never closed (line 2, column 1)")
  })

  test('a prompt of over 1 Mi characters, of either kind', () => {
    const million = 'x'.repeat(1024 * 1024)
    expect(() => parsePrompt(`${million}x`, { isRaw: false })).toThrow(TemplateError)
    expect(() => parsePrompt(`[{"role":"user","content":"${million}"}]`, { isRaw: false })).toThrow(TemplateError)
  })
})

test('a raw template is refused only when no choice of sections makes messages of it', () => {
  const both = `[{{#a}}${MESSAGE}{{/a}}{{#b}}${MESSAGE}{{/b}}]`
  const oneOf = `[{{#a}}{{^b}}${MESSAGE}{{/b}}{{/a}}{{#b}}x{{/b}}]`
  expect(kindOf(both, true)).toBe('chat')
  expect(refusal(oneOf, true)).toContain('this is not JSON')
  // Only shown together with a section inside another's item do these two fit.
  expect(kindOf(`[{{#a.b}}${MESSAGE}{{/a.b}}{{^a}},{{/a}}{{#c}},${MESSAGE}{{/c}}]`, true)).toBe('chat')
  expect(kindOf(`[{{#__proto__}}${MESSAGE}]{{/__proto__}}`, true)).toBe('chat')
  // With more than six sections, and with partials, nothing is said in advance.
  const many = Array.from({ length: 7 }, (_, index) => `{{#s${index}}}{{/s${index}}}`).join('')
  expect(kindOf(`[${many} 1]`, true)).toBe('chat')
  expect(kindOf('[{{>p}} 1]', true)).toBe('chat')
  expect(kindOf('[{{#a}}{{>p}}{{/a}} 1]', true)).toBe('chat')
})

test('a prompt says what it refers to, over all its strings', () => {
  const text =
    '[{"role":"system","content":"{{a}}{{>p}}{{#l}}{{b}}{{/l}}"},{{#c}}{"role":"user","content":"{{a}}{{>>v}}{{gr\\u00f6\\u00dfe}}"},{{/c}}{{>q@1}}]'
  expect(parsePrompt(text, { isRaw: true })).toMatchObject({
    variables: ['a', 'l', 'b', 'c', 'größe'],
    partials: ['p', 'q@1'],
    variablePartials: ['v'],
  })
  expect(parsePrompt('{{a}}{{>p}}{{>>v}}', { isRaw: false })).toMatchObject({
    variables: ['a'],
    partials: ['p'],
    variablePartials: ['v'],
  })
})
