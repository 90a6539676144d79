import { type Check, type CheckCredentials, defineCheck, isRecord, t } from '#kit'
import { type AwsAccess, serviceURL } from '#kit/aws'
import {
  askPartner,
  baseOf,
  type Fields,
  partnerParameters,
  pick,
  records,
  redactParameter,
  unreadable,
} from './partner.ts'
import { eachOf } from './pieces.ts'

const PARTNER = 'Bedrock'

/**
 * A guardrail of Amazon Bedrock, on the account of a stored provider of models there. Source: "ApplyGuardrail" of the API reference of
 * Amazon Bedrock Runtime (service-2.json of botocore 1.44.5, read 2026-11-23). Each text is asked for alone, as the answer does not
 * say which output belongs to which content.
 */
export const bedrockGuard = (access: AwsAccess): Check =>
  defineCheck({
    id: 'bedrock.guard',
    summary: 'Passes unless a guardrail of Amazon Bedrock intervenes.',
    parameters: t.Object({
      guardrailId: t.String({
        pattern: '^([a-z0-9]+|arn:aws(-[^:]+)?:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]+)$',
        maxLength: 2048,
        description: 'Id or ARN of the guardrail.',
      }),
      guardrailVersion: t.String({ pattern: '^([1-9][0-9]{0,7}|DRAFT)$', description: 'Its version, or DRAFT.' }),
      ...redactParameter,
      ...partnerParameters(),
    }),
    stages: ['input', 'output'],
    needs: ['fetch', 'credentials'],
    prepare: ({ guardrailId, guardrailVersion, redact, credentials, timeout }) => ({
      deadlineMs: timeout,
      async run({ stage, texts }, powers) {
        const account = await powers.credentials(['bedrock'], credentials)
        const place = `${encodeURIComponent(guardrailId)}/version/${encodeURIComponent(guardrailVersion)}`
        const url = `${hostOf(account)}/guardrail/${place}/apply`
        const results = await eachOf(texts, async (text): Promise<Result> => {
          if (text.trim() === '') return { text, isFine: true }
          const body = JSON.stringify({ source: stage === 'input' ? 'INPUT' : 'OUTPUT', content: [{ text: { text } }] })
          const headers = await sign(access, account, url, body)
          return read(await askPartner(powers, { partner: PARTNER, url, headers, body }), text, redact)
        })
        const isChanged = results.some(({ text }, index) => text !== texts[index])
        return {
          verdict: results.every(({ isFine }) => isFine),
          data: { results: results.map(({ about = {} }) => about) },
          ...(isChanged ? { texts: results.map(({ text }) => text) } : {}),
        }
      },
    }),
  })

interface Result {
  /** As it may go on. */
  readonly text: string
  readonly isFine: boolean
  readonly about?: Fields
}

const hostOf = (account: CheckCredentials): string =>
  account.customHost === undefined
    ? serviceURL('bedrock-runtime', account.settings.aws_region)
    : baseOf(account, account.customHost)

const sign = async (
  access: AwsAccess,
  account: CheckCredentials,
  url: string,
  body: string,
): Promise<Record<string, string>> => {
  const headers = new Headers(account.headers)
  headers.set('content-type', 'application/json')
  const { apiKey, settings } = account
  await access.authorize?.(
    headers,
    { apiKey, settings, isStored: true },
    { method: 'POST', url, body, isStreamed: false },
  )
  return Object.fromEntries(headers)
}

const read = (answer: Fields, text: string, redact: boolean): Result => {
  const { action } = answer
  if (action !== 'NONE' && action !== 'GUARDRAIL_INTERVENED') throw unreadable(PARTNER, 'no action')
  const findings = records(answer.assessments).flatMap(findingsOf)
  const about = { ...pick(answer, ['action', 'actionReason']), findings }
  if (action === 'NONE') return { text, isFine: true, about }
  const [output] = records(answer.outputs)
  const isMasked = findings.some(isAnonymized) && !findings.some(({ action }) => action === 'BLOCKED')
  if (!redact || !isMasked || typeof output?.text !== 'string') return { text, isFine: false, about }
  return { text: output.text, isFine: true, about }
}

const isAnonymized = ({ action }: Fields): boolean => action === 'ANONYMIZED'

/** What every policy found, without the words that it found. */
const findingsOf = (assessment: Fields): readonly Fields[] =>
  Object.entries(assessment).flatMap(([policy, lists]) =>
    Object.values(isRecord(lists) ? lists : {})
      .flatMap(records)
      .map((finding) => pick(finding, ['name', 'type', 'action', 'confidence', 'score', 'threshold']))
      .filter(({ action }) => action !== undefined)
      .map((finding) => ({ policy, ...finding })),
  )
