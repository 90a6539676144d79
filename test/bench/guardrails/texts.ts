import { chatTexts } from '../../../plugins/endpoints/texts/chat.ts'
import defaultChecks from '../../../plugins/guardrails/default/index.ts'
import { compileGuardrail } from '../../../src/calls/guardrails/compile.ts'
import { BodyContent } from '../../../src/calls/guardrails/content.ts'
import { runGuardrails } from '../../../src/calls/guardrails/run-guardrails.ts'
import { fakeHost } from '../../../src/kit/testing/fake-host.ts'
import { CONTEXT } from '../../property/guardrails/guarded.ts'
import { timeEach } from '../limits/samples.ts'
import { type Row, us } from '../limits/table.ts'

const TARGET_US = 150
const RUNS = 5_000

const SENTENCE =
  'The committee met on Tuesday, read the report of the auditors and asked for more time, as it does each year. '
const PROMPT = SENTENCE.repeat(Math.ceil(4_096 / SENTENCE.length)).slice(0, 4_096)

/** Ten checks that look at all of a text. */
const CHECKS = [
  ['default.contains', { words: ['Apollo', 'Zeus', 'Hera'], operator: 'none' }],
  ['default.contains', { words: ['auditors'], operator: 'all' }],
  ['default.regexMatch', { rule: '\\b\\d{4}( \\d{4}){3}\\b', not: true }],
  ['default.regexMatch', { rule: 'report of the (auditors|board)' }],
  ['default.wordCount', { minWords: 1, maxWords: 5_000 }],
  ['default.sentenceCount', { minSentences: 1, maxSentences: 500 }],
  ['default.characterCount', { minCharacters: 1, maxCharacters: 50_000 }],
  ['default.containsCode', { format: 'SQL', not: true }],
  ['default.alluppercase', { not: true }],
  ['default.endsWith', { suffix: 'never', not: true }],
] as const

/** What ten checks of texts take for a prompt of 4 KB, with all that is reported of them. */
export const textRow = async (): Promise<Row> => {
  const { checks = [] } = await defaultChecks.setup({}, fakeHost())
  const known = new Map(checks.map((each) => [each.id, each]))
  const guardrail = compileGuardrail(
    {
      type: 'guardrail',
      deny: true,
      async: false,
      sequential: false,
      soft_deny_200: false,
      stream_mode: 'after',
      stream_window: 200,
      checks: CHECKS.map(([id, parameters]) => ({ id, parameters, is_enabled: true })),
    },
    { id: 'guardrail-1' },
    { get: (id) => known.get(id), list: () => checks },
  )
  const groups = [[guardrail]]
  const body = { model: 'm', messages: [{ role: 'user', content: PROMPT }] }
  const { p50, p99 } = timeEach(RUNS, () => {
    const outcome = runGuardrails(groups, new BodyContent(body, chatTexts.asked), { ...CONTEXT, stage: 'input' })
    if (outcome instanceof Promise || outcome.deniedBy !== undefined || outcome.reports[0]?.checks.length !== 10)
      throw new Error('not all ten checks passed at once')
    if (outcome.reports[0].checks.some(({ error }) => error !== undefined)) throw new Error('a check could not tell')
  })
  return {
    metric: 'Ten checks of a prompt of 4 KB, p50 / p99',
    target: `≤ ${TARGET_US} µs`,
    measured: `${us(p50)} / ${us(p99)}`,
    met: p50 <= TARGET_US,
  }
}
