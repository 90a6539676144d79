import { type Check, type CheckCredentials, type CheckPowers, type CheckVerdict, defineCheck, isRecord, t } from '#kit'
import {
  askPartner,
  baseOf,
  type Fields,
  joined,
  partnerParameters,
  pick,
  records,
  redactParameter,
  unreadable,
} from './partner.ts'
import { eachOf, masked, unitOffsets } from './pieces.ts'

const PARTNER = 'Patronus'

interface Evaluator {
  readonly evaluator: string
  readonly criteria?: string
}

/**
 * Asks one evaluator of Patronus about an answer. Sources: "Evaluate" of the API reference of Patronus AI
 * (docs.patronus.ai/docs/api_ref/evaluations) and patronus-api 0.3.0 (PyPI); names of evaluators: "Evaluator Reference Guide" of its
 * documentation and "Patronus Evaluate API Integration" of that of NeMo Guardrails; criteria: "Patronus Evaluators" and open clients;
 * read 2026-11-23. No explanation is asked for: it would take seconds.
 */
const evaluate = async (
  powers: CheckPowers,
  account: CheckCredentials,
  evaluator: Evaluator,
  asked: string,
  answered: string,
): Promise<Fields> => {
  const answer = await askPartner(powers, {
    partner: PARTNER,
    url: `${baseOf(account, 'https://api.patronus.ai')}/v1/evaluate`,
    headers: { ...account.headers, 'x-api-key': account.apiKey },
    body: { evaluators: [{ ...evaluator, explain_strategy: 'never' }], task_input: asked, task_output: answered },
  })
  const [result] = records(answer.results)
  if (result === undefined) throw unreadable(PARTNER, 'no result')
  if (result.status !== 'success') throw new Error(`${PARTNER} could not evaluate the answer.`)
  if (!isRecord(result.evaluation_result) || typeof result.evaluation_result.pass !== 'boolean') {
    throw unreadable(PARTNER, 'no verdict')
  }
  return result.evaluation_result
}

const toData = (results: readonly Fields[]): Fields => ({
  results: results.map((result) => pick(result, ['evaluator_id', 'criteria', 'pass', 'score_raw'])),
})

/** A check of answers as a whole. */
const judged = (name: string, summary: string, evaluator: Evaluator): Check =>
  defineCheck({
    id: `patronus.${name}`,
    summary,
    parameters: t.Object({
      redact: t.Boolean({ default: false, description: 'Without effect: there is nothing to mask.' }),
      ...partnerParameters(),
    }),
    stages: ['output'],
    needs: ['fetch', 'credentials'],
    prepare: ({ credentials, timeout }) => ({
      deadlineMs: timeout,
      async run({ texts, request }, powers) {
        const account = await powers.credentials(['patronus'], credentials)
        const result = await evaluate(powers, account, evaluator, joined(request.texts), joined(texts))
        return { verdict: result.pass === true, data: toData([result]) }
      },
    }),
  })

/** A check that knows where that stands which it finds: every text of the answer is asked for alone. */
const located = (name: string, summary: string): Check =>
  defineCheck({
    id: `patronus.${name}`,
    summary,
    parameters: t.Object({ ...redactParameter, ...partnerParameters() }),
    stages: ['output'],
    needs: ['fetch', 'credentials'],
    prepare: ({ redact, credentials, timeout }) => ({
      deadlineMs: timeout,
      async run({ texts, request }, powers): Promise<CheckVerdict> {
        const account = await powers.credentials(['patronus'], credentials)
        const asked = joined(request.texts)
        const results = await eachOf(texts, async (text) => ({
          text,
          result: text.trim() === '' ? PASSED : await evaluate(powers, account, { evaluator: name }, asked, text),
        }))
        const isFine = results.every(({ result }) => result.pass === true)
        const data = toData(results.map(({ result }) => result))
        if (isFine || !redact) return { verdict: isFine, data }
        const after = results.map(({ text, result }) => (result.pass === true ? text : maskFound(text, result)))
        return after.every((text) => text !== undefined)
          ? { verdict: true, data, texts: after }
          : { verdict: false, data }
      },
    }),
  })

const PASSED: Fields = { pass: true }

/** Undefined when it is not known where that stands which was found. */
const maskFound = (text: string, { additional_info: info }: Fields): string | undefined => {
  const positions: readonly unknown[] = isRecord(info) && Array.isArray(info.positions) ? info.positions : []
  if (positions.length === 0) return undefined
  const toUnits = unitOffsets(text)
  const spans = positions.map((position) => {
    const [start, end]: readonly unknown[] = Array.isArray(position) ? position : []
    return { start: toUnits(Number(start)), end: toUnits(Number(end)), mask: '[REDACTED]' }
  })
  return masked(text, spans)
}

const byCriteria = (criteria: string): Evaluator => ({ evaluator: 'judge', criteria: `patronus:${criteria}` })

const custom = defineCheck({
  id: 'patronus.custom',
  summary: 'Passes when the answer meets criteria of your own at Patronus.',
  parameters: t.Object({
    profile: t.String({ minLength: 1, maxLength: 256, description: 'Name of the criteria: `patronus:is-concise`.' }),
    ...partnerParameters(15_000),
  }),
  stages: ['output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ profile, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ texts, request }, powers) {
      const account = await powers.credentials(['patronus'], credentials)
      const evaluator = { evaluator: 'judge', criteria: profile }
      const result = await evaluate(powers, account, evaluator, joined(request.texts), joined(texts))
      return { verdict: result.pass === true, data: toData([result]) }
    },
  }),
})

export const patronus: readonly Check[] = [
  located('phi', 'Passes when Patronus finds nothing about the health of a person in the answer.'),
  located('pii', 'Passes when Patronus finds no personal data in the answer.'),
  judged('isConcise', 'Passes when Patronus finds the answer concise.', byCriteria('is-concise')),
  judged('isHelpful', 'Passes when Patronus finds the answer helpful.', byCriteria('is-helpful')),
  judged('isPolite', 'Passes when Patronus finds the answer polite.', byCriteria('is-polite')),
  judged('noApologies', 'Passes when Patronus finds no apology in the answer.', byCriteria('no-apologies')),
  judged('noGenderBias', 'Passes when Patronus finds no gender bias in the answer.', byCriteria('no-gender-bias')),
  judged('noRacialBias', 'Passes when Patronus finds no racial bias in the answer.', byCriteria('no-racial-bias')),
  judged('retrievalAnswerRelevance', 'Passes when Patronus finds that the answer is about the question.', {
    evaluator: 'answer-relevance',
  }),
  judged('toxicity', 'Passes when Patronus finds nothing toxic in the answer.', { evaluator: 'toxicity' }),
  custom,
]
