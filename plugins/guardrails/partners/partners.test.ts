import { describe, expect, test } from 'bun:test'
import { type CheckCredentials, type CheckVerdict, check } from '#kit'
import { type Case, cases, checks, inputOf, parts, powersOf, prepare, replay } from './test-support.ts'

const run = async (fixture: Case, powers: ReturnType<typeof powersOf>): Promise<CheckVerdict> =>
  prepare(fixture.check, fixture.parameters).run(inputOf(fixture), powers)

const passing = (id: string): Case => {
  const found = cases.find(([, fixture]) => fixture.check === id && fixture.exchanges.length === 1)
  if (found === undefined) throw new Error(`no case of ${id}`)
  return found[1]
}

/** Checks whose answers have the form of another one's. */
const LIKE_IS_CONCISE = /^patronus\.(?:is|no|retrieval|toxicity)/
/** Checks that ask models through the gateway have tests of their own. */
const OF_MODELS = /\.moderateContent$/
const told = checks
  .map(({ id }) => id)
  .filter((id) => id === 'patronus.isConcise' || !(LIKE_IS_CONCISE.test(id) || OF_MODELS.test(id)))

test('the checks of the interface are there, and one account for each partner', () => {
  expect(checks.map(({ id }) => id)).toEqual([
    'bedrock.guard',
    'azure.contentSafety',
    'azure.pii',
    'mistral.moderateContent',
    'openai.moderateContent',
    'panw-prisma-airs.intercept',
    'lasso.classify',
    'pillar.scanPrompt',
    'pillar.scanResponse',
    'patronus.phi',
    'patronus.pii',
    'patronus.isConcise',
    'patronus.isHelpful',
    'patronus.isPolite',
    'patronus.noApologies',
    'patronus.noGenderBias',
    'patronus.noRacialBias',
    'patronus.retrievalAnswerRelevance',
    'patronus.toxicity',
    'patronus.custom',
    'aporia.validateProject',
    'acuvity.scan',
    'promptfoo.guard',
    'promptfoo.pii',
    'promptfoo.harm',
    'sydelabs.sydeguard',
  ])
  expect(parts.accounts?.map(({ id }) => id)).toEqual([
    'azure',
    'panw-prisma-airs',
    'acuvity',
    'aporia',
    'lasso',
    'patronus',
    'pillar',
    'promptfoo',
    'sydelabs',
  ])
})

describe('as documented', () => {
  test.each(cases)('%s', async (_, fixture) => {
    const { account = {}, exchanges, verdict, data, after, parameters } = fixture
    const powers = powersOf(account, replay(exchanges))
    const answer = await run(fixture, powers)
    expect(answer).toEqual({ verdict, data, ...(after === undefined ? {} : { texts: after }) } as CheckVerdict)
    expect(powers.sent.length).toBe(exchanges.length)
    for (const { url, method, headers, body } of powers.sent) {
      expect(method).toBe('POST')
      expect(headers.get('content-type')).toBe('application/json')
      const exchange = exchanges.find((known) => known.url === url)
      for (const [name, value] of Object.entries(exchange?.headers ?? {})) expect(headers.get(name)).toBe(value)
      if (account.apiKey !== undefined) expect(`${url} ${JSON.stringify(body)}`).not.toContain(account.apiKey)
      if (powers.accounts.length > 0) expect(headers.get('x-stored')).toBe('yes')
    }
    for (const [, slug] of powers.accounts) expect(slug).toBe(parameters.credentials)
  })

  test('every check has a case that passes and one that does not', () => {
    for (const id of told.filter((id) => !['patronus.phi', 'patronus.custom'].includes(id))) {
      const verdicts = cases.flatMap(([, fixture]) => (fixture.check === id ? [fixture.verdict] : []))
      expect([id, new Set(verdicts)]).toEqual([id, new Set([true, false])])
    }
  })

  test('every case says where it comes from', () => {
    for (const [, { note }] of cases) expect(note).toMatch(/read 2026-\d\d-\d\d/)
  })
})

test.each([
  ['isHelpful', { evaluator: 'judge', criteria: 'patronus:is-helpful' }],
  ['isPolite', { evaluator: 'judge', criteria: 'patronus:is-polite' }],
  ['noApologies', { evaluator: 'judge', criteria: 'patronus:no-apologies' }],
  ['noGenderBias', { evaluator: 'judge', criteria: 'patronus:no-gender-bias' }],
  ['noRacialBias', { evaluator: 'judge', criteria: 'patronus:no-racial-bias' }],
  ['retrievalAnswerRelevance', { evaluator: 'answer-relevance' }],
  ['toxicity', { evaluator: 'toxicity' }],
])('patronus.%s asks its own evaluator', async (name, evaluator) => {
  const fixture = { ...passing('patronus.isConcise'), check: `patronus.${name}` }
  const powers = powersOf({}, () => ({ text: JSON.stringify(fixture.exchanges[0]?.answer) }))
  expect((await run(fixture, powers)).verdict).toBe(fixture.verdict)
  expect(powers.sent[0]?.body).toMatchObject({ evaluators: [{ ...evaluator, explain_strategy: 'never' }] })
})

describe.each(told)('%s', (id) => {
  const fixture = passing(id)
  const account: Partial<CheckCredentials> = { ...fixture.account, apiKey: fixture.account?.apiKey ?? 'key-canary' }

  const thrown = async (status: number, text: string): Promise<Error> => {
    try {
      await run(
        fixture,
        powersOf(account, () => ({ status, text })),
      )
    } catch (error) {
      if (error instanceof Error) return error
    }
    throw new Error('it answered')
  }

  test('fails with words of its own where the partner does', async () => {
    for (const status of [302, 400, 401, 403, 404, 413, 429, 500, 503]) {
      const { message } = await thrown(status, `{"error":"secret words, ${account.apiKey}"}`)
      expect(message).toContain(` answered ${status}`)
      expect(message).not.toContain('secret words')
      expect(message).not.toContain(account.apiKey as string)
    }
    expect((await thrown(401, '')).message).toContain('check the key')
  })

  test('fails where the answer is in no known form', async () => {
    expect((await thrown(200, '<html>secret words')).message).toMatch(/answered with something that is no JSON/)
    for (const text of ['[]', '7', 'null', '{}', '{"results":[{}],"action":7,"extractions":7}']) {
      expect((await thrown(200, text)).message).toMatch(/in a form that is not known|could not evaluate/)
    }
  })

  test('fails without an account, in the words of the one who looked for it', async () => {
    const powers = powersOf({}, () => ({ text: '{}' }))
    const without = { ...powers, credentials: () => Promise.reject(new Error('store an integration')) }
    const named = { ...fixture, parameters: { ...fixture.parameters, credentials: 'ours' } }
    await expect(run(named, without)).rejects.toThrow('store an integration')
    expect(powers.sent).toEqual([])
  })

  test('asks nothing about texts that say nothing', async () => {
    const powers = powersOf(account, () => ({ text: '{}' }))
    expect(await run({ ...fixture, texts: [' ', '\n'] }, powers)).toEqual({ verdict: true })
    expect([powers.sent, powers.accounts]).toEqual([[], []])
  })

  test('takes as long as it may, and no more than a minute', () => {
    const kind = checks.find((known) => known.id === id)
    if (kind === undefined) throw new Error(id)
    expect(prepare(id, fixture.parameters).deadlineMs).toBe(id === 'patronus.custom' ? 15_000 : 5000)
    expect(prepare(id, { ...fixture.parameters, timeout: 250 }).deadlineMs).toBe(250)
    for (const timeout of [0, -1, 1.5, 60_001, 'soon']) {
      expect(check(kind.parameters, { ...fixture.parameters, timeout })).toMatchObject({
        violations: [{ path: 'timeout' }],
      })
    }
  })
})

describe('parameters that are refused', () => {
  test.each([
    ['bedrock.guard', { guardrailVersion: '1' }, 'guardrailId'],
    ['bedrock.guard', { guardrailId: '../x', guardrailVersion: '1' }, 'guardrailId'],
    ['bedrock.guard', { guardrailId: 'gr1', guardrailVersion: '0' }, 'guardrailVersion'],
    ['azure.contentSafety', { severity: 8 }, 'severity'],
    ['azure.contentSafety', { categories: ['Hate', 'Spam'] }, 'categories[1]'],
    ['azure.contentSafety', { apiVersion: '2024&x=1' }, 'apiVersion'],
    ['azure.pii', { domain: 'all' }, 'domain'],
    ['panw-prisma-airs.intercept', {}, 'profile_name'],
    ['pillar.scanPrompt', {}, 'scanners'],
    ['pillar.scanResponse', { scanners: [] }, 'scanners'],
    ['pillar.scanResponse', { scanners: ['viruses'] }, 'scanners[0]'],
    ['patronus.custom', {}, 'profile'],
    ['aporia.validateProject', {}, 'projectID'],
    ['acuvity.scan', { toxic_threshold: 2 }, 'toxic_threshold'],
    ['acuvity.scan', { language_values: 'klingon' }, 'language_values'],
    ['acuvity.scan', { pii_categories: ['shoe_size'] }, 'pii_categories[0]'],
    ['promptfoo.guard', { redact: 'yes' }, 'redact'],
    ['sydelabs.sydeguard', { evasion_threshold: -0.1 }, 'evasion_threshold'],
    ['sydelabs.sydeguard', { evasion: 1 }, 'evasion'],
  ])('%s %j', (id, parameters, path) => {
    const kind = checks.find((known) => known.id === id)
    if (kind === undefined) throw new Error(id)
    const checked = check(kind.parameters, parameters)
    expect(checked.ok ? [] : checked.violations.map((violation) => violation.path)).toContain(path)
  })

  test('none of the hundredths that the interface takes', () => {
    for (let at = 0; at <= 100; at++) {
      expect(() => prepare('sydelabs.sydeguard', { toxicity_threshold: at / 100 })).not.toThrow()
    }
  })
})
