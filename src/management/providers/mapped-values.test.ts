import { expect, test } from 'bun:test'
import { EgressRefused, SecretUnavailable } from '../../errors/gateway-error.ts'
import type { SecretMapping } from '../../store/schema/integrations.ts'
import { type Fillable, fillMapped } from './mapped-values.ts'

const fill = (
  text: string,
  mapping: Omit<SecretMapping, 'secretReferenceId'>,
  {
    provider = { id: 'openai' },
    secrets = {},
    secretKey = null,
  }: Partial<Fillable> & { secretKey?: string | null } = {},
) =>
  fillMapped(
    {
      configurations: { custom_host: 'https://stored.example' },
      secrets,
      provider,
      checkCustomHost(url) {
        if (url.includes('private')) throw new EgressRefused(`'${url}' is private`)
        return url
      },
    },
    [{ mapping: { ...mapping, secretReferenceId: 'any' }, found: { slug: 'vault', secretKey, secret: { text } } }],
  )

test('a key is the secret as it is, a field of it, or the field that the reference names', () => {
  const key = { targetField: 'key' }
  expect(fill('sk-1', key).secrets).toEqual({ key: 'sk-1' })
  expect(fill('{"a":"sk-2"}', { ...key, secretKey: 'a' }).secrets).toEqual({ key: 'sk-2' })
  expect(fill('{"a":"sk-3","b":"no"}', key, { secretKey: 'a' }).secrets).toEqual({ key: 'sk-3' })
  expect(fill('{"a":"no","b":"sk-4"}', { ...key, secretKey: 'b' }, { secretKey: 'a' }).secrets).toEqual({ key: 'sk-4' })
  expect(fill('{"a":1}', key, { secrets: { key: 'stored' } }).secrets).toEqual({ key: '{"a":1}' })
})

test('a field has the form that its provider takes, from JSON where it must be an object', () => {
  const account = { type: 'service_account', private_key: 'canary' }
  const provider = { id: 'vertex-ai' }
  const secrets = { key: 'stored' }
  const other = { 'configurations.vertex_service_account_json': JSON.stringify(account) }
  const common = { vertex_auth_type: 'serviceAccount', vertex_region: 'europe-west1' }
  for (const valueFormat of [undefined, 'json'] as const) {
    const made = fillMapped({ configurations: common, secrets, provider, checkCustomHost: (url) => url }, [
      {
        mapping: {
          targetField: 'configurations.vertex_service_account_json',
          secretReferenceId: 'any',
          ...(valueFormat === undefined ? {} : { valueFormat }),
        },
        found: { slug: 'vault', secretKey: null, secret: { text: JSON.stringify(account), fields: account } },
      },
    ])
    expect(made).toEqual({ configurations: common, secrets: { ...secrets, ...other } })
  }
})

test.each([
  ['key', 'is an object and no key', '[]', { valueFormat: 'json' }],
  ['key', 'is no key', 'sk-with-canary\na line', {}],
  ['key', 'is no key', 'canary'.repeat(2_000), {}],
  ['key', 'no JSON object', 'sk-canary', { secretKey: 'key' }],
  ['key', 'no field as `secret_key` says', '{"other":"sk-canary"}', { secretKey: 'key' }],
  ['key', 'is empty', '{"key":""}', { secretKey: 'key' }],
  ['key', 'is empty', '{"key":null}', { secretKey: 'key' }],
  ['key', 'no JSON', 'sk-canary', { valueFormat: 'json' }],
  ['key', 'no field as `secret_key` says', '{"a":"sk-canary"}', { secretKey: 'toString' }],
  ['custom_host', 'cannot be the `custom_host`', 'https://private.example/sk-canary', {}],
  ['custom_headers', 'no JSON', 'sk-canary', {}],
  ['custom_headers', 'cannot be the `custom_headers`', '{"host":"sk-canary"}', {}],
  ['openai_project', 'cannot be the `openai_project`', 'sk-canary'.repeat(100), {}],
] as const)('what cannot be a value for %s is refused without a word of it: %s', (field, words, text, more) => {
  let thrown: unknown
  try {
    fill(text, { targetField: field === 'key' ? field : `configurations.${field}`, ...more })
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(SecretUnavailable)
  const { message, options } = thrown as SecretUnavailable
  expect(message).toStartWith("The secret reference 'vault' cannot be used: ")
  expect(message).toContain(words)
  expect(`${message} ${JSON.stringify(options)} ${String(options.cause)}`).not.toContain('canary')
})
