import { expect, test } from 'bun:test'
import { renderMessages } from '../../../../src/calls/template/messages.ts'
import { parsePrompt } from '../../../../src/calls/template/prompt.ts'
import { BODY_SIZES } from './bodies.ts'
import { PROMPT, promptBody, VARIABLES } from './prompts.ts'

const parsed = parsePrompt(PROMPT.template, { isRaw: false })

test('the template has about 4 KB and twenty variables, of which a run gives each one', () => {
  expect(Math.abs(PROMPT.template.length / BODY_SIZES['4 KB'] - 1)).toBeLessThan(0.1)
  expect(parsed.variables).toHaveLength(20)
  expect(Object.keys(VARIABLES).toSorted()).toEqual([...parsed.variables].toSorted())
})

test('filled in, it is a request of about the size of a chat request', () => {
  if (parsed.kind !== 'chat') throw new Error('The prompt is not a chat')
  const messages = renderMessages(parsed, { variables: VARIABLES, partial: () => undefined })
  const { model, parameters } = PROMPT
  const request = JSON.stringify({ ...parameters, model, messages })
  expect(Math.abs(Buffer.byteLength(request) / BODY_SIZES['4 KB'] - 1)).toBeLessThan(0.05)
  expect(request).not.toContain('{{')
})

test('a run asks for a stream, and for its usage, only where there is one', () => {
  expect(Object.keys(JSON.parse(promptBody(false)))).toEqual(['variables'])
  expect(JSON.parse(promptBody(true))).toMatchObject({ stream: true, stream_options: { include_usage: true } })
})
