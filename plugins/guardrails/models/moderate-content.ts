import { type CheckVerdict, defineCheck, defined, isRecord, t } from '#kit'
import { failOnError, model, provider, timeout } from './parameters.ts'

const CATEGORIES = [
  'hate',
  'hate/threatening',
  'harassment',
  'harassment/threatening',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const

/** Passes unless a moderation endpoint of the workspace's flags one of the categories. */
export const moderateContent = defineCheck({
  id: 'gateway.moderateContent',
  summary: 'Passes unless a moderation model flags one of the categories.',
  parameters: t.Object({
    categories: t.Array(t.Union(CATEGORIES.map((category) => t.Literal(category))), {
      minItems: 1,
      description: 'What a text may not be.',
    }),
    provider: t.Optional(provider),
    model: t.Optional(model),
    timeout: timeout(5000),
    failOnError,
  }),
  stages: ['input', 'output'],
  needs: ['ask'],
  prepare({ categories, timeout: deadlineMs, failOnError: failsClosed, ...asked }) {
    return {
      deadlineMs,
      failsClosed,
      async run({ texts }, powers) {
        const input = texts.filter((text) => text.trim() !== '')
        if (input.length === 0) return { verdict: true }
        const answer = await powers.ask('/moderations', asked.provider, defined({ model: asked.model, input }))
        return judged(answer.results, categories)
      },
    }
  },
})

/** @throws Error for an answer that says nothing of any of the categories */
const judged = (results: unknown, categories: readonly string[]): CheckVerdict => {
  const flags = (Array.isArray(results) ? results : []).flatMap((result: unknown) =>
    isRecord(result) && isRecord(result.categories) ? [result.categories] : [],
  )
  if (flags.length === 0) throw new Error('the answer is no list of moderations')
  const flagged = categories.filter((category) => flags.some((each) => flagOf(each, category) === true))
  const unknown = categories.filter((category) => flags.every((each) => typeof flagOf(each, category) !== 'boolean'))
  if (unknown.length === categories.length) {
    throw new Error(
      `the model does not judge ${unknown.join(', ')}; it judges ${Object.keys(flags[0] ?? {}).join(', ')}`,
    )
  }
  return {
    verdict: flagged.length === 0,
    data: defined({ flagged, not_judged: unknown.length > 0 ? unknown : undefined }),
  }
}

/** A model that does not know a finer category is asked for the wider one: `hate` for `hate/threatening`. */
const flagOf = (flags: Readonly<Record<string, unknown>>, category: string): unknown =>
  flags[category] ?? flags[category.replace(/\/.*$/, '')]
