import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findSecrets, SECRET_CATEGORIES, SECRET_REACH } from './find.ts'
import { eachRun, entropyOf } from './runs.ts'
import { SHAPES } from './shapes.ts'

const found = (text: string): string[] =>
  findSecrets(text).map(({ start, end, category }) => `${category} ${text.slice(start, end)}`)

/** Characters as chance gives them, the same ones each time. Put together here, so that no file holds what looks like a key. */
const chance = (length: number, alphabet: string): string => {
  let state = 42
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)]
  }).join('')
}
const HEX = '0123456789abcdef'
const DIGITS = '0123456789'
const ANY = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** One of each form, made from memory of the documents that shapes.ts names; none was ever given out. */
const EXAMPLES: readonly (readonly [category: string, secret: string])[] = [
  ['ANTHROPIC_KEY', `sk-ant-api03-${chance(93, ANY)}AA`],
  ['OPENAI_KEY', `sk-proj-${chance(74, ANY)}T3BlbkFJ${chance(74, ANY)}`],
  ['OPENAI_KEY', `sk-svcacct-${chance(58, ANY)}`],
  ['OPENROUTER_KEY', `sk-or-v1-${chance(64, HEX)}`],
  ['API_KEY', `sk-${chance(48, ANY)}`],
  ['API_KEY', `sk-${chance(32, HEX)}`],
  ['GROQ_KEY', `gsk_${chance(52, ANY)}`],
  ['XAI_KEY', `xai-${chance(80, ANY)}`],
  ['PERPLEXITY_KEY', `pplx-${chance(48, ANY)}`],
  ['HUGGINGFACE_TOKEN', `hf_${chance(34, ANY)}`],
  ['REPLICATE_TOKEN', `r8_${chance(37, ANY)}`],
  ['NVIDIA_KEY', `nvapi-${chance(64, ANY)}`],
  ['LANGSMITH_KEY', `lsv2_pt_${chance(32, HEX)}_${chance(10, HEX)}`],
  ['JINA_KEY', `jina_${chance(60, ANY)}`],
  ['AWS_ACCESS_KEY', `AKIA${chance(16, BASE32)}`],
  ['AWS_BEDROCK_KEY', `ABSK${chance(128, ANY)}==`],
  ['GOOGLE_KEY', `AIza${chance(35, ANY)}`],
  ['GOOGLE_TOKEN', `ya29.${chance(100, ANY)}`],
  ['GOOGLE_TOKEN', `GOCSPX-${chance(28, ANY)}`],
  ['AZURE_KEY', `${chance(3, ANY)}8Q~${chance(34, ANY)}`],
  ['AZURE_KEY', `${chance(52, ANY)}JQQJ99A${chance(25, ANY)}`],
  ['DIGITALOCEAN_TOKEN', `dop_v1_${chance(64, HEX)}`],
  ['DATABRICKS_TOKEN', `dapi${chance(32, HEX)}-2`],
  ['ALIBABA_KEY', `LTAI${chance(20, ANY)}`],
  ['CLOUDFLARE_KEY', `v1.0-${chance(24, HEX)}-${chance(146, HEX)}`],
  ['HEROKU_KEY', `HRKU-AA${chance(58, ANY)}`],
  ['FLY_TOKEN', `fo1_${chance(43, ANY)}`],
  ['SUPABASE_KEY', `sbp_${chance(40, HEX)}`],
  ['GITHUB_TOKEN', `ghp_${chance(36, ANY)}`],
  ['GITHUB_TOKEN', `github_pat_${chance(22, ANY)}_${chance(59, ANY)}`],
  ['GITLAB_TOKEN', `glpat-${chance(20, ANY)}`],
  ['NPM_TOKEN', `npm_${chance(36, ANY)}`],
  ['PYPI_TOKEN', `pypi-AgEIcHlwaS5vcmc${chance(80, ANY)}`],
  ['RUBYGEMS_TOKEN', `rubygems_${chance(48, HEX)}`],
  ['SOURCEGRAPH_TOKEN', `sgp_${chance(16, HEX)}_${chance(40, HEX)}`],
  ['POSTMAN_KEY', `PMAK-${chance(24, HEX)}-${chance(34, HEX)}`],
  ['SLACK_TOKEN', `xoxb-${chance(11, DIGITS)}-${chance(12, DIGITS)}-${chance(24, ANY)}`],
  ['SLACK_WEBHOOK', `hooks.slack.com/services/T${chance(8, BASE32)}/B${chance(8, BASE32)}/${chance(24, ANY)}`],
  ['STRIPE_KEY', `sk_live_${chance(24, ANY)}`],
  ['STRIPE_KEY', `rk_test_${chance(24, ANY)}`],
  ['WEBHOOK_SECRET', `whsec_${chance(32, ANY)}`],
  ['SENDGRID_KEY', `SG.${chance(22, ANY)}.${chance(43, ANY)}`],
  ['MAILGUN_KEY', `key-${chance(32, HEX)}`],
  ['TWILIO_KEY', `SK${chance(32, HEX)}`],
  ['SHOPIFY_TOKEN', `shpat_${chance(32, HEX)}`],
  ['SQUARE_TOKEN', `sq0atp-${chance(22, ANY)}`],
  ['LINEAR_KEY', `lin_api_${chance(40, ANY)}`],
  ['NOTION_TOKEN', `ntn_${chance(11, DIGITS)}${chance(35, ANY)}`],
  ['ATLASSIAN_TOKEN', `ATATT3${chance(186, ANY)}`],
  ['AIRTABLE_TOKEN', `pat${chance(14, ANY)}.${chance(64, HEX)}`],
  ['NEW_RELIC_KEY', `NRAK-${chance(27, ANY)}`],
  ['GRAFANA_TOKEN', `glsa_${chance(32, ANY)}_${chance(8, HEX)}`],
  ['SENTRY_TOKEN', `sntryu_${chance(64, HEX)}`],
  ['DOPPLER_TOKEN', `dp.pt.${chance(43, ANY)}`],
  ['VAULT_TOKEN', `hvs.${chance(92, ANY)}`],
  ['TERRAFORM_TOKEN', `atlasv1.${chance(67, ANY)}`],
  ['PULUMI_TOKEN', `pul-${chance(40, HEX)}`],
  ['PLANETSCALE_TOKEN', `pscale_tkn_${chance(43, ANY)}`],
  ['ONEPASSWORD_TOKEN', `ops_eyJ${chance(250, ANY)}`],
  ['AGE_KEY', `AGE-SECRET-KEY-1${chance(58, BASE32)}`],
  ['JWT', `eyJ${chance(33, ANY)}.eyJ${chance(120, ANY)}.${chance(43, ANY)}`],
]

describe('keys and tokens of services', () => {
  test.each(EXAMPLES)('%s', (category, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['use ', ', please'],
      ['"', '"'],
      ['KEY=', '\n'],
      ['https://a.b/?k=', '&x=1'],
      ['{"a":"line\\n', '"}'],
    ]) {
      expect(found(`${before}${secret}${after}`)).toEqual([`${category} ${secret}`])
    }
    expect(findSecrets(`x${secret.slice(0, 8)}`)).toEqual([])
  })

  test('every form has its example, and a category', () => {
    const shown = EXAMPLES.map(([category]) => category)
    for (const { category } of SHAPES) expect(shown).toContain(category)
    for (const category of shown) expect(SECRET_CATEGORIES).toContain(category)
  })

  test('the longer prefix wins: no key of Anthropic is one of OpenAI', () => {
    const keys = EXAMPLES.map(([, secret]) => secret).filter((secret) => secret.startsWith('sk-'))
    expect(found(keys.join(' ')).map((hit) => hit.split(' ')[0])).toEqual([
      'ANTHROPIC_KEY',
      'OPENAI_KEY',
      'OPENAI_KEY',
      'OPENROUTER_KEY',
      'API_KEY',
      'API_KEY',
    ])
  })

  test('what nobody sees hides nothing', () => {
    const secret = `ghp_${chance(10, ANY)}\u200b${chance(26, ANY)}`
    expect(found(`a ${secret} b`)).toEqual([`GITHUB_TOKEN ${secret}`])
  })
})

describe('secrets by their name', () => {
  const value = chance(32, ANY)
  test.each([
    `api_key = "${value}"`,
    `API-KEY: ${value}`,
    `"clientSecret": "${value}"`,
    `password=${value}`,
    `setToken('${value}')`,
    `Authorization: Bearer ${value}`,
    `curl -H "Authorization: Basic ${value}"`,
    `export AWS_SECRET_ACCESS_KEY=${chance(40, `${ANY}/+`)}`,
    `credentials := \`${value}\``,
    `auth_token => ${chance(40, HEX)}`,
  ])('%s', (text) => {
    expect(found(text)).toHaveLength(1)
    expect(found(text)[0]).toMatch(/^SECRET \S{32,40}$/)
  })

  test('with the padding of base64', () => {
    const key = `${chance(86, ANY)}==`
    expect(found(`AccountName=x;AccountKey=${key};EndpointSuffix=y`)).toEqual([`SECRET ${key}`])
  })

  test.each([
    `digest = "${value}"`,
    'primary_key: customer-account-number-01',
    'key: "src/components/guardrails/check-list.tsx"',
    'token: 123e4567-e89b-42d3-a456-426614174000',
    'secret: your-secret-goes-here-please',
    'key = aaaaaaaaaaaaaaaaaaaaaaaaaaaa1',
    'token_count: 12345678901234567890',
    `key: data:image/png;base64,${chance(4000, ANY)}`,
    'apiKey: process.env.OPENAI_API_KEY_2',
    'const token = await getAccessTokenSilently()',
    'password: hunter2',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('private keys', () => {
  const body = Array.from({ length: 10 }, () => chance(64, ANY)).join('\n')
  test.each([
    'RSA PRIVATE KEY',
    'PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('%s', (label) => {
    const key = `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`
    expect(found(`here: ${key} end`)).toEqual([`PRIVATE_KEY ${key}`])
    expect(found(`here: ${key.slice(0, 200)}`)).toEqual([`PRIVATE_KEY ${key.slice(0, 200)}`])
    expect(found(JSON.stringify({ key }))).toEqual([`PRIVATE_KEY ${JSON.stringify(key).slice(1, -1)}`])
  })

  test.each([
    'the PRIVATE KEY is',
    '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('passwords of addresses', () => {
  test.each([
    ['postgres://app:s3cr3t-w0rd@db.internal:5432/app', 's3cr3t-w0rd'],
    ['redis://:hunter22@localhost', 'hunter22'],
    ['https://user:p%40ss@example.com/', 'p%40ss'],
  ])('%s', (url, password) => {
    expect(found(`url: ${url}`)).toEqual([`URL_PASSWORD ${password}`])
  })

  test.each([
    'postgres://app:$PASSWORD@db',
    'postgres://app:<password>@db',
    'postgres://user:password@db',
    'https://example.com:8080/@me',
    'https://a.b/c:d@e',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

test('ordinary text holds none', () => {
  const text = `In 1984 the internationalization-committee met; antidisestablishmentarianism was not discussed.
    git: da39a3ee5e6b4b0d3255bfef95601890afd80709 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
    sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= 123e4567-e89b-42d3-a456-426614174000
    import { eachRun } from '../../guardrails/gateway/secrets/runs.ts'; const key = Object.keys(items)[0]
    https://github.com/some-owner/some-repository/blob/main/src/index.ts#L10-L20 npm_config_registry npm_lifecycle_event
    sk-learn, key-value, task-management-software-2024, pat_answers, hf_transfer, v1.0-beta.1+build.20240101
    <img src="data:image/png;base64,${chance(2000, `${ANY}+/`)}"> ASIAN MARKETS, AKIARA
    {"cache_key":"user:42:profile","next_page_token":null,"token_type":"bearer","expires_in":3600,"key":"value"}`
  expect(found(text)).toEqual([])
})

describe('whatever the text', () => {
  const evil: [string, string][] = [
    ['letters', 'a'.repeat(200_000)],
    ['beginnings', 'sk-'.repeat(70_000)],
    ['beginnings of tokens', 'eyJ-'.repeat(50_000)],
    ['tokens without an end', 'eyJaaaaaaaaaa.eyJaaaaaaaaaa-'.repeat(7_000)],
    ['words of private keys', 'PRIVATE KEY '.repeat(17_000)],
    ['lines of private keys', '-----BEGIN PRIVATE KEY-----\n'.repeat(7_000)],
    ['names', 'key=key=key='.repeat(17_000)],
    ['named values', `key="${'aB3'.repeat(20)}" `.repeat(3_000)],
    ['addresses', '://a:b'.repeat(33_000)],
    ['long users', `://${'a'.repeat(63)}`.repeat(3_000)],
    ['dashes', '-'.repeat(200_000)],
    ['points and tildes', '.~Q~'.repeat(50_000)],
  ]
  // A quadratic search would need minutes, not the seconds that a loaded machine may take.
  test.each(evil)('200 KB of %s take no time to speak of', (_, text) => {
    const startedMs = performance.now()
    findSecrets(text)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  test('runs are found wherever they stand, whole', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(' ', '=', 'é'),
            fc.nat(40).map((length) => 'a'.repeat(length)),
          ),
        ),
        (pieces) => {
          const text = pieces.join('')
          const runs: string[] = []
          eachRun(text, (start, end) => runs.push(`${start} ${end}`))
          expect(runs).toEqual(
            [...text.matchAll(/a{16,}/g)].map(({ index, 0: run }) => `${index} ${index + run.length}`),
          )
        },
      ),
    )
  })

  test('a secret is known by its beginning, and grows with what follows', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${chance(2_000, ANY)}\n-----END RSA PRIVATE KEY-----`
    const token = `eyJ${chance(100, ANY)}.eyJ${chance(2_000, ANY)}.${chance(300, ANY)}`
    for (const secret of [...EXAMPLES.map(([, example]) => example), key, token]) {
      for (let cut = Math.min(secret.length, SECRET_REACH); cut <= secret.length; cut += 7) {
        const [hit, ...others] = findSecrets(`a ${secret.slice(0, cut)}`)
        expect(others).toEqual([])
        expect(hit).toMatchObject({ start: 2, end: 2 + cut })
      }
    }
  })
})

test('entropy is the bits of a character', () => {
  expect(entropyOf('aaaa')).toBe(0)
  expect(entropyOf('abab')).toBe(1)
  expect(entropyOf('abcdefgh')).toBe(3)
})
