import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PromptError } from '../../../src/calls/template/errors.ts'
import { renderMessages } from '../../../src/calls/template/messages.ts'
import { parseTemplate } from '../../../src/calls/template/parse.ts'
import { parsePrompt } from '../../../src/calls/template/prompt.ts'
import { messages, nastyText, type Variables, variables } from './arbitraries.ts'
import { expectedMessages } from './model.ts'
import { FIRST, fixedTemplate, messagesOf, rawTemplate } from './templates.ts'

describe('a value stays inside its string', () => {
  test('whatever it is and in whichever form it is asked for', () => {
    fc.assert(
      fc.property(messages, variables, fc.boolean(), (parts, values, isRaw) => {
        expect(messagesOf(fixedTemplate(parts), isRaw, values)).toEqual(expectedMessages(parts, values, false))
      }),
      { numRuns: 1_000 },
    )
  })

  test('also where sections make messages', () => {
    fc.assert(
      fc.property(messages, variables, (parts, values) => {
        expect(messagesOf(rawTemplate(parts), true, values)).toEqual([FIRST, ...expectedMessages(parts, values, true)])
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Everything but what the strings hold. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)])
}

/** The shape of each message, and its role: a field of that name further inside is no role. */
const shapesOf = (messages: readonly object[]): unknown =>
  messages.map((message) => [shapeOf(message), 'role' in message ? message.role : undefined])

/** Pieces of templates, also such as no author should write. */
const PIECES = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"',
  '\\',
  '\\"',
  'null',
  '1',
  '"role":',
  '"role":"user",',
  '"content":',
  '"{{x}}"',
  '"{{{x}}}":',
  '"role":"{{x}}",',
  '{{x}}',
  '{{{x}}}',
  '{{&x}}',
  '{{#s}}',
  '{{/s}}',
  '{{^s}}',
  '{{>p}}',
  '{{>q}}',
  '{{>>x}}',
  '{{! x }}',
  '{"role":"user","content":"{{x}}"}',
  ',{"role":"assistant"}',
]

const VALID = [
  '[{"role":"user","content":"{{x}}"}]',
  '[{"role":"user","content":"a"}{{#s}},{"role":"assistant","content":"{{x}}{{.}}"}{{/s}}]',
  '[{{>p}},{"role":"user",{{#s}}"name":"{{x}}",{{/s}}"content":[{"type":"text","text":"{{{x}}}{{>p}}"}]}]',
  '{"messages":[{"role":{{#s}}"user"{{/s}}{{^s}}"system"{{/s}},"content":{{>q}}}]}',
]

/** A template that was fine once, with some of its text replaced. */
const damaged = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.array(fc.record({ at: fc.nat(120), cut: fc.nat(6), piece: fc.constantFrom('', ...PIECES) }), { maxLength: 2 }),
  )
  .map(([text, changes]) =>
    changes.reduce((now, { at, cut, piece }) => `${now.slice(0, at)}${piece}${now.slice(at + cut)}`, text),
  )

test('whatever the template and its partials are, a value changes neither shape nor roles of what comes of it', () => {
  let rendered = 0
  const attempt = (text: string, partials: Readonly<Record<string, string>>, values: Variables): unknown => {
    try {
      const prompt = parsePrompt(text, { isRaw: true })
      const partial = (name: string) => {
        const found = partials[name]
        return found === undefined ? undefined : parseTemplate(found)
      }
      return prompt.kind === 'chat' ? shapesOf(renderMessages(prompt, { variables: values, partial })) : 'text'
    } catch (thrown) {
      if (!(thrown instanceof PromptError)) throw thrown
      return 'refused'
    }
  }
  const partial = fc.oneof(
    fc.constantFrom('{"role":"system","content":"{{x}}"}', '"{{x}}"', '[{"type":"text","text":"{{x}}"}]'),
    damaged,
    fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(damaged, partial, partial, nastyText, fc.boolean(), (text, p, q, nasty, s) => {
      // Both are shown as a section and name no partial.
      const shape = attempt(text, { p, q }, { x: `${nasty}!`, s })
      if (Array.isArray(shape)) rendered += 1
      expect(shape).toEqual(attempt(text, { p, q }, { x: 'harmless words', s }))
    }),
    { numRuns: 5_000 },
  )
  expect(rendered).toBeGreaterThan(500)
})
