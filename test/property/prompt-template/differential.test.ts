import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseTemplate } from '../../../src/calls/template/parse.ts'
import { renderNodes, renderTemplate } from '../../../src/calls/template/render.ts'
import { Run } from '../../../src/calls/template/run.ts'
import { textOf } from '../../../src/calls/template/values.ts'
import { messages, parts, variables, written } from './arbitraries.ts'
import { expectedText, rootScope } from './model.ts'
import { fixedTemplate, messagesOf, optionsOf, rawTemplate } from './templates.ts'

test('text is what the plain model says', () => {
  fc.assert(
    fc.property(parts, variables, (all, values) => {
      // Something on every line, so that none is a line of tags alone.
      const filled = all.map((part) =>
        part.kind === 'text' ? { ...part, text: part.text.replaceAll('\n', '|') } : part,
      )
      const template = parseTemplate(`|${written(filled)}|`)
      const text = renderTemplate(template, optionsOf(values))
      expect(text).toBe(`|${expectedText(filled, rootScope(values))}|`)
    }),
    { numRuns: 1_000 },
  )
})

describe('messages are what the counterpart makes of them: rendered as escaped text, then parsed', () => {
  const escaped = (value: unknown): string => JSON.stringify(textOf(value)).slice(1, -1)
  const parsedAfterwards = (template: string, values: Readonly<Record<string, unknown>>): unknown => {
    const run = new Run(optionsOf(values))
    return JSON.parse(renderNodes(parseTemplate(template).nodes, run.root, run, escaped))
  }

  test('fixed', () => {
    fc.assert(
      fc.property(messages, variables, (all, values) => {
        const template = fixedTemplate(all)
        expect<unknown>(messagesOf(template, false, values)).toEqual(parsedAfterwards(template, values))
      }),
      { numRuns: 500 },
    )
  })

  test('made by sections', () => {
    fc.assert(
      fc.property(messages, variables, (all, values) => {
        const template = rawTemplate(all)
        expect<unknown>(messagesOf(template, true, values)).toEqual(parsedAfterwards(template, values))
      }),
      { numRuns: 500 },
    )
  })
})
