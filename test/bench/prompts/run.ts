/** `bun run bench:prompts`: measures what a prompt costs against its target, and prints a table in Markdown. */

import { renderMessages } from '../../../src/calls/template/messages.ts'
import { type ParsedPrompt, parsePrompt } from '../../../src/calls/template/prompt.ts'
import { renderTemplate } from '../../../src/calls/template/render.ts'
import { timeEach } from '../limits/samples.ts'
import { type Row, toTable, us } from '../limits/table.ts'
import { chatTemplate, rawTemplate, textTemplate, VARIABLE_COUNT, variables } from './templates.ts'

const RENDERINGS = 50_000
const PARSINGS = 2_000
const TARGET_US = 20

const NO_PARTIALS = { variables, partial: () => undefined }

/** Reads a character of all that was written, so that no text is left to be put together later. */
const settle = (value: unknown): number => {
  if (typeof value === 'string') return value.charCodeAt(value.length - 1)
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, inner) => sum + settle(inner), 0)
    : 0
}

const render = (prompt: ParsedPrompt): unknown =>
  prompt.kind === 'chat' ? renderMessages(prompt, NO_PARTIALS) : renderTemplate(prompt.template, NO_PARTIALS)

const rowsOf = (name: string, template: string, isRaw: boolean): Row[] => {
  const prompt = parsePrompt(template, { isRaw })
  const rendering = timeEach(RENDERINGS, () => {
    if (settle(render(prompt)) === 0) throw new Error('Nothing was rendered')
  })
  const parsing = timeEach(PARSINGS, () => {
    if (parsePrompt(template, { isRaw }).variables.length < VARIABLE_COUNT) throw new Error('Variables were missed')
  })
  return [
    {
      metric: `Render ${name}, p50 / p99`,
      target: `≤ ${TARGET_US} µs`,
      measured: `${us(rendering.p50)} / ${us(rendering.p99)}`,
      met: rendering.p50 <= TARGET_US,
    },
    {
      metric: `Parse ${name}, once for each version, p50 / p99`,
      target: '',
      measured: `${us(parsing.p50)} / ${us(parsing.p99)}`,
      met: undefined,
    },
  ]
}

const rows = [
  ...rowsOf('a text', textTemplate, false),
  ...rowsOf('messages', chatTemplate, false),
  ...rowsOf('messages made by sections', rawTemplate, true),
]
console.log(
  `Templates of 4 KB with ${VARIABLE_COUNT} variables. Bun ${Bun.version}, ${navigator.hardwareConcurrency} cores\n`,
)
console.log(toTable(rows))
