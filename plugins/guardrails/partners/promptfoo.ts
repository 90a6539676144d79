import { type Check, defineCheck, isRecord, t } from '#kit'
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
import { eachOf, masked, type Span, unitOffsets } from './pieces.ts'

const NO_ACCOUNT = { apiKey: '', headers: {}, customHost: undefined }

/**
 * The guardrails API of Promptfoo, which asks for no key: an account is used only where `credentials` names one, for a host of one's
 * own. Source: "Guardrails" of its documentation (promptfoo.dev/docs/red-team/guardrails, read 2026-11-23).
 */
const promptfoo = (what: 'guard' | 'pii' | 'harm', summary: string): Check =>
  defineCheck({
    id: `promptfoo.${what}`,
    summary,
    parameters: t.Object({
      redact: t.Boolean({
        default: false,
        description:
          what === 'pii' ? (redactParameter.redact.description ?? '') : 'Without effect: there is nothing to mask.',
      }),
      ...partnerParameters(),
    }),
    stages: ['input', 'output'],
    needs: ['fetch', 'credentials'],
    prepare: ({ redact, credentials, timeout }) => ({
      deadlineMs: timeout,
      async run({ texts }, powers) {
        const account = credentials === undefined ? NO_ACCOUNT : await powers.credentials(['promptfoo'], credentials)
        const ask = async (input: string): Promise<Fields> => {
          const answer = await askPartner(powers, {
            partner: 'Promptfoo',
            url: `${baseOf(account, 'https://api.promptfoo.dev')}/v1/${what}`,
            headers: {
              ...account.headers,
              ...(account.apiKey === '' ? {} : { authorization: `Bearer ${account.apiKey}` }),
            },
            body: { input },
          })
          const [result] = records(answer.results)
          if (typeof result?.flagged !== 'boolean') throw unreadable('Promptfoo', 'no verdict')
          return result
        }
        if (what !== 'pii' || !redact) {
          const result = await ask(joined(texts))
          return { verdict: result.flagged === false, data: toData([result]) }
        }
        const results = await eachOf(texts, async (text) => ({
          text,
          result: text.trim() === '' ? CLEAN : await ask(text),
        }))
        const data = toData(results.map(({ result }) => result))
        const after = results.map(({ text, result }) => (result.flagged === false ? text : maskFound(text, result)))
        if (!after.every((text) => text !== undefined)) return { verdict: false, data }
        return { verdict: true, data, ...(results.some(({ result }) => result.flagged) ? { texts: after } : {}) }
      },
    }),
  })

const CLEAN: Fields = { flagged: false }

const toData = (results: readonly Fields[]): unknown => ({
  results: results.map((result) => ({
    ...pick(result, ['flagged', 'categories', 'category_scores']),
    found: entitiesOf(result).map(({ entity_type: type }) => type),
  })),
})

const entitiesOf = ({ payload }: Fields): readonly Fields[] => (isRecord(payload) ? records(payload.pii) : [])

/** Undefined when it is not known where that stands which was found. */
const maskFound = (text: string, result: Fields): string | undefined => {
  const entities = entitiesOf(result)
  if (entities.length === 0) return undefined
  const toUnits = unitOffsets(text)
  const spans: Span[] = []
  for (const { entity_type: type, start, end, pii } of entities) {
    if (typeof start !== 'number' || typeof end !== 'number') return undefined
    const place = [
      [start, end],
      [toUnits(start), toUnits(end)],
    ].find(([from, to]) => text.slice(from, to) === pii)
    if (place === undefined) return undefined
    const [from = -1, to = -1] = place
    spans.push({ start: from, end: to, mask: `[${typeof type === 'string' ? type.toUpperCase() : 'REDACTED'}]` })
  }
  return masked(text, spans)
}

export const guard = promptfoo('guard', 'Passes when Promptfoo finds no prompt injection and no jailbreak.')
export const pii = promptfoo('pii', 'Passes when Promptfoo finds nothing that names or describes a person.')
export const harm = promptfoo('harm', 'Passes when Promptfoo finds nothing harmful.')
