import { describe, expect, test } from 'bun:test'
import type { CheckCredentials, CheckVerdict } from '#kit'
import { inputOf, powersOf, prepare, type Sent } from './test-support.ts'

type Account = Partial<CheckCredentials>
type Fields = Readonly<Record<string, unknown>>

const run = async (
  id: string,
  parameters: Fields,
  account: Account,
  answer: (sent: Sent) => unknown,
  texts: readonly string[] = ['Hello'],
) => {
  const powers = powersOf({ apiKey: 'key-canary', ...account }, (sent) => ({ text: JSON.stringify(answer(sent)) }))
  const verdict: CheckVerdict = await prepare(id, parameters).run(inputOf({ stage: 'input', texts }), powers)
  return { verdict, sent: powers.sent }
}

const refused = async (id: string, parameters: Fields, account: Account): Promise<string> => {
  const powers = powersOf(account, () => ({ text: '{}' }))
  try {
    await prepare(id, parameters).run(inputOf({ stage: 'input', texts: ['Hello'] }), powers)
  } catch (thrown) {
    expect(powers.sent).toEqual([])
    return String(thrown)
  }
  throw new Error('it ran')
}

describe('Azure', () => {
  test.each<[string, Account, string]>([
    [
      'a resource',
      { settings: { azure_resource_name: 'our-safety' } },
      'https://our-safety.cognitiveservices.azure.com',
    ],
    [
      'a host of its own',
      { settings: { azure_resource_name: 'x' }, customHost: 'https://h.example/p/' },
      'https://h.example/p',
    ],
  ])('is asked at %s', async (_, account, host) => {
    const { sent } = await run('azure.contentSafety', { categories: [] }, account, () => ({ categoriesAnalysis: [] }))
    expect(sent.map(({ url }) => url)).toEqual([`${host}/contentsafety/text:analyze?api-version=2024-09-01`])
  })

  test.each([{}, { azure_resource_name: 'evil.example/' }, { azure_resource_name: '' }])(
    'is not asked at %j',
    async (settings) => {
      for (const id of ['azure.contentSafety', 'azure.pii']) {
        expect(await refused(id, {}, { settings })).toContain('set azure_resource_name or custom_host')
      }
    },
  )

  test('judges a long text in pieces, and the worst counts', async () => {
    const text = `${'word '.repeat(4000)}${' '.repeat(10_000)}worst`
    const analysis = ({ body }: Sent) => [
      { category: 'Hate', severity: JSON.stringify(body).includes('worst') ? 2 : 0 },
    ]
    const account = { settings: { azure_resource_name: 'r' } }
    const { verdict, sent } = await run(
      'azure.contentSafety',
      { categories: ['Hate'] },
      account,
      (asked) => ({ categoriesAnalysis: analysis(asked) }),
      [text],
    )
    expect(verdict).toMatchObject({ verdict: false, data: { categories: [{ category: 'Hate', severity: 2 }] } })
    const asked = sent.map(({ body }) => (body as { text: string }).text)
    // The piece that says nothing is left out.
    expect([asked.join('').trimEnd(), asked.length]).toEqual([text.replace(/ {2,}/, ' '), 3])
    expect(asked.every((piece) => piece.length <= 10_000)).toBe(true)
  })

  test('masks a long text in pieces, five to a request', async () => {
    const texts = [`${'word '.repeat(6000)}${' '.repeat(11_000)}secret`, 'secret too', ' ', 'fine']
    const answer = ({ body }: Sent) => {
      const { documents } = (body as { analysisInput: { documents: { id: string; text: string }[] } }).analysisInput
      expect(documents.length).toBeLessThanOrEqual(5)
      expect(documents.every(({ text }) => text.length <= 5120 && text.trim() !== '')).toBe(true)
      const read = documents.map(({ id, text }) => ({
        id,
        entities: text.includes('secret') ? [{ category: 'Person' }] : [],
        redactedText: text.replace('secret', '******'),
      }))
      return { results: { documents: read.reverse(), errors: [] } }
    }
    const account = { settings: { azure_resource_name: 'r' } }
    const { verdict, sent } = await run('azure.pii', { redact: true }, account, answer, texts)
    expect(verdict.texts).toEqual(texts.map((text) => text.replace('secret', '******')))
    expect(verdict.verdict).toBe(true)
    expect(sent.length).toBe(2)
  })

  test('that leaves a document out has not judged it', async () => {
    const account = { settings: { azure_resource_name: 'r' } }
    const answer = () => ({ results: { documents: [], errors: [{ id: '0', error: { code: 'InvalidArgument' } }] } })
    await expect(run('azure.pii', {}, account, answer)).rejects.toThrow('a document is left out')
  })
})

describe('Bedrock', () => {
  const parameters = { guardrailId: 'gr1', guardrailVersion: '2' }
  const none = () => ({ action: 'NONE', outputs: [], assessments: [] })
  const keys = {
    aws_access_key_id: 'AKIDEXAMPLE12345',
    aws_secret_access_key: 'secret-canary',
    aws_region: 'eu-west-1',
  }

  test('gets requests that are signed with the keys of the account', async () => {
    const { sent } = await run('bedrock.guard', parameters, { apiKey: '', settings: keys }, none)
    const [request] = sent
    expect(request?.url).toBe('https://bedrock-runtime.eu-west-1.amazonaws.com/guardrail/gr1/version/2/apply')
    const signature = request?.headers.get('authorization')
    expect(signature).toStartWith('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/')
    expect(signature).toContain('/eu-west-1/bedrock/aws4_request')
    expect(signature).toContain('content-type;host;x-amz-date')
    expect(JSON.stringify([request?.url, ...(request?.headers ?? [])])).not.toContain('secret-canary')
  })

  test('is asked at a host of its own', async () => {
    const { sent } = await run(
      'bedrock.guard',
      parameters,
      { settings: keys, customHost: 'https://vpce.example/' },
      none,
    )
    expect(sent[0]?.url).toBe('https://vpce.example/guardrail/gr1/version/2/apply')
  })

  test('refuses what is masked where something else is blocked, and what is masked nowhere', async () => {
    const found = (...actions: readonly string[]) => ({
      action: 'GUARDRAIL_INTERVENED',
      outputs: actions.length === 0 ? [] : [{ text: 'Sorry.' }],
      assessments: [
        { sensitiveInformationPolicy: { piiEntities: actions.map((action) => ({ type: 'EMAIL', action })) } },
      ],
    })
    const account = { settings: keys }
    const redacting = { ...parameters, redact: true }
    for (const [answer, verdict, texts] of [
      [found('ANONYMIZED'), true, ['Sorry.']],
      [found('ANONYMIZED', 'NONE'), true, ['Sorry.']],
      [found('ANONYMIZED', 'BLOCKED'), false, undefined],
      [{ ...found('ANONYMIZED'), outputs: [] }, false, undefined],
      [found(), false, undefined],
    ] as const) {
      const judged = (await run('bedrock.guard', redacting, account, () => answer)).verdict
      expect([judged.verdict, judged.texts]).toEqual([verdict, texts && [...texts]])
    }
  })

  test('is not asked without a region, or in one that is none', async () => {
    expect(await refused('bedrock.guard', parameters, {})).toContain('region')
    expect(await refused('bedrock.guard', parameters, { settings: { aws_region: 'evil.example/' } })).toContain(
      'region',
    )
  })
})

describe('Prisma AIRS', () => {
  test('is not asked in a region that it does not have', async () => {
    const account = { settings: { panw_region: 'constructor' } }
    expect(await refused('panw-prisma-airs.intercept', { profile_name: 'p' }, account)).toContain('panw_region')
  })

  test('passes what it allows, and nothing that it calls otherwise', async () => {
    for (const [action, verdict] of [
      ['allow', true],
      ['block', false],
      ['alert', false],
    ] as const) {
      const found = await run('panw-prisma-airs.intercept', { profile_name: 'p' }, {}, () => ({ action }))
      expect(found.verdict.verdict).toBe(verdict)
    }
  })
})

describe('Acuvity', () => {
  const tokenOf = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  const answer = () => ({ extractions: [{ data: 'Hello' }] })

  test.each([
    ['apex.acuvity.example', 'https://apex.acuvity.example/_acuvity/scan'],
    ['https://apex.acuvity.example:8443/', 'https://apex.acuvity.example:8443/_acuvity/scan'],
  ])('is asked where its token says: %s', async (url, asked) => {
    const { sent } = await run('acuvity.scan', {}, { apiKey: tokenOf({ opaque: { 'apex-url': url } }) }, answer)
    expect(sent[0]?.url).toBe(asked)
  })

  test.each([
    'key-canary',
    '',
    'a.b.c',
    tokenOf(null),
    tokenOf({ opaque: 7 }),
    tokenOf({ opaque: { 'apex-url': '' } }),
  ])('is not asked with a token that does not say where: %s', async (apiKey) => {
    const message = await refused('acuvity.scan', {}, { apiKey })
    expect(message).toContain('set custom_host')
    expect(message).not.toContain('canary')
  })

  test('that answers for fewer texts has not judged them', async () => {
    const account = { customHost: 'https://own.example' }
    await expect(run('acuvity.scan', {}, account, answer, ['one', 'two'])).rejects.toThrow('not one extraction')
  })

  test('refuses what it masked without saying how', async () => {
    const account = { customHost: 'https://own.example' }
    const found = () => ({ extractions: [{ PIIs: { person: 0.9 } }] })
    const { verdict } = await run('acuvity.scan', { pii_redact: true }, account, found)
    expect([verdict.verdict, verdict.texts]).toEqual([false, undefined])
  })

  test('a threshold of 0 refuses what is found, not what is not', async () => {
    const account = { customHost: 'https://own.example' }
    const at = async (exploits: Fields) =>
      (await run('acuvity.scan', { jail_break_threshold: 0 }, account, () => ({ extractions: [{ exploits }] }))).verdict
        .verdict
    expect([await at({}), await at({ jailbreak: 0.01 }), await at({ jailbreak: 0 })]).toEqual([true, false, true])
  })
})
