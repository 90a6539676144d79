import { type CheckCredentials, defineCheck, isRecord, parseJson, t } from '#kit'
import { type AcuvityRules, judge, LANGUAGES, PII_CATEGORIES, SCORED, SECRET_CATEGORIES } from './acuvity-rules.ts'
import { askPartner, baseOf, partnerParameters, pick, records, unreadable } from './partner.ts'

const PARTNER = 'Acuvity'

const isOn = (what: string) => t.Boolean({ default: true, description: `Whether ${what} is looked for.` })
const threshold = (what: string) =>
  t.Number({ minimum: 0, maximum: 1, default: 0.5, description: `Score of ${what} from which on it is refused.` })
const isMasked = (what: string) =>
  t.Boolean({ default: false, description: `${what} are masked, and the text passes.` })
const categories = <Name extends string>(names: readonly Name[], what: string) =>
  t.Array(t.Union(names.map((name) => t.Literal(name))), { default: [...names], uniqueItems: true, description: what })

const parameters = t.Object({
  prompt_injection: isOn('prompt injection'),
  prompt_injection_threshold: threshold('prompt injection'),
  toxic: isOn('toxic language'),
  toxic_threshold: threshold('toxic language'),
  jail_break: isOn('a jailbreak'),
  jail_break_threshold: threshold('a jailbreak'),
  malicious_url: isOn('a malicious URL'),
  malicious_url_threshold: threshold('a malicious URL'),
  biased: isOn('bias'),
  biased_threshold: threshold('bias'),
  harmful: isOn('harmful content'),
  harmful_threshold: threshold('harmful content'),
  language: isOn('another language'),
  language_values: t.Union(
    LANGUAGES.map((name) => t.Literal(name)),
    { default: 'english', description: 'Language that the texts must have.' },
  ),
  pii: isOn('personal data'),
  pii_redact: isMasked('Personal data'),
  pii_categories: categories(PII_CATEGORIES, 'Kinds of personal data.'),
  secrets: isOn('a secret'),
  secrets_redact: isMasked('Secrets'),
  secrets_categories: categories(SECRET_CATEGORIES, 'Kinds of secrets.'),
  ...partnerParameters(),
})

/**
 * The scan of Acuvity. Source: acuvity 0.7.0 (PyPI), models and `apexdiscovery.py`, read 2026-11-23: the address stands in the token,
 * as `opaque.apex-url`, unless the account has a host of its own.
 */
export const scan = defineCheck({
  id: 'acuvity.scan',
  summary: 'Passes when no detector of Acuvity that is switched on finds anything.',
  parameters,
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare(given) {
    const pii = given.pii ? given.pii_categories : []
    const secrets = given.secrets ? given.secrets_categories : []
    const rules: AcuvityRules = {
      scored: namesOf(SCORED).flatMap((name) => (given[name] ? [[...SCORED[name], given[`${name}_threshold`]]] : [])),
      language: given.language ? given.language_values : undefined,
      found: [
        ...pii.map((name) => ['PIIs', name, given.pii_redact] as const),
        ...secrets.map((name) => ['secrets', name, given.secrets_redact] as const),
      ],
    }
    const redactions = rules.found.flatMap(([, name, isMasked]) => (isMasked ? [name] : []))
    return {
      deadlineMs: given.timeout,
      async run({ stage, texts }, powers) {
        const account = await powers.credentials(['acuvity'], given.credentials)
        const asked = texts.filter((text) => text.trim() !== '')
        const answer = await askPartner(powers, {
          partner: PARTNER,
          url: `${hostOf(account)}/_acuvity/scan`,
          headers: { ...account.headers, authorization: `Bearer ${account.apiKey}` },
          body: {
            messages: asked,
            redactions,
            anonymization: 'FixedSize',
            type: stage === 'input' ? 'Input' : 'Output',
          },
        })
        const extractions = records(answer.extractions)
        // One for each message, in their order.
        if (extractions.length !== asked.length) throw unreadable(PARTNER, 'not one extraction for each text')
        const judged = extractions.map((extraction) => ({ ...judge(extraction, rules), data: extraction.data }))
        const rest = judged.values()
        const after = texts.map((text) => {
          const next = text.trim() === '' ? undefined : rest.next().value
          return next?.isMasked === true ? next.data : text
        })
        const isReadable = after.every((text) => typeof text === 'string')
        return {
          verdict: isReadable && !judged.some(({ isRefused }) => isRefused),
          data: { extractions: extractions.map((extraction) => pick(extraction, SCORES)) },
          ...(isReadable && judged.some(({ isMasked }) => isMasked) ? { texts: after } : {}),
        }
      },
    }
  },
})

const SCORES = ['exploits', 'malcontents', 'languages', 'PIIs', 'secrets']

const namesOf = <Name extends string>(of: Readonly<Record<Name, unknown>>): readonly Name[] => Object.keys(of) as Name[]

const hostOf = (account: CheckCredentials): string => {
  if (account.customHost !== undefined) return baseOf(account, account.customHost)
  const url = apexUrlOf(account.apiKey)
  if (url === undefined) throw new Error('The token of Acuvity names no host: set custom_host of its integration.')
  return baseOf({}, url.startsWith('https://') ? url : `https://${url}`)
}

/** Where the account is served, as its token says it. The token is not checked: whoever stored it chose the host. */
const apexUrlOf = (token: string): string | undefined => {
  const [, claims = ''] = token.split('.')
  try {
    const { opaque } = toRecord(parseJson(Buffer.from(claims, 'base64url').toString()))
    const url = toRecord(opaque)['apex-url']
    return typeof url === 'string' && url !== '' ? url : undefined
  } catch {
    return undefined
  }
}

const toRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
