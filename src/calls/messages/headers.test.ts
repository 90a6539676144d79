import { expect, test } from 'bun:test'
import { maskedFields, maskedHeaders, maskedUrl } from './headers.ts'

const KEY = 'a-secret-key-0123456789'

test.each([
  ['authorization', `Bearer ${KEY}`, 'Bearer a-*****789'],
  ['authorization', `Bearer  ${KEY}`, 'Bearer  a-*****789'],
  ['authorization', KEY, 'a-*****789'],
  ['x-api-key', KEY, 'a-*****789'],
  ['api-key', KEY, 'a-*****789'],
  ['x-goog-api-key', KEY, 'a-*****789'],
  ['x-gateway-api-key', KEY, 'a-*****789'],
  ['x-acme-api-key', 'short', '*****'],
  ['x-gateway-aws-secret-access-key', KEY, 'a-*****789'],
  ['x-amz-security-token', KEY, 'a-*****789'],
  ['cookie', `session=${KEY}`, 'se*****789'],
  ['set-cookie', `session=${KEY}`, 'se*****789'],
  ['ocp-apim-subscription-key', KEY, 'a-*****789'],
  ['x-gateway-vertex-service-account-json', `{"private_key":"${KEY}"}`, '{"*****9"}'],
  [
    'sec-websocket-protocol',
    `realtime, openai-insecure-api-key.${KEY}`,
    'realtime, openai-insecure-api-key.a-*****789',
  ],
  [
    'x-gateway-config',
    `{"provider":"openai","api_key":"${KEY}","targets":[{"awsSecretAccessKey": "${KEY}"}]}`,
    '{"provider":"openai","api_key":"a-*****789","targets":[{"awsSecretAccessKey": "a-*****789"}]}',
  ],
])('the credential in %s is masked, and told', (name, value, shown) => {
  const secrets = new Set<string>()
  expect(maskedHeaders(new Headers({ [name]: value }), secrets)).toEqual({ [name]: shown })
  if (value.includes(KEY)) expect([...secrets].some((secret) => secret.includes(KEY))).toBe(true)
})

test.each([
  ['x-gateway-virtual-key', 'main'],
  ['x-gateway-config', 'pc-config-0123456789'],
  ['x-ratelimit-remaining-tokens', '149984'],
  ['idempotency-key', 'once-0123456789abcdef'],
  ['content-type', 'application/json'],
])('%s is shown as it is', (name, value) => {
  const secrets = new Set<string>()
  expect(maskedHeaders(new Headers({ [name]: value }), secrets)).toEqual({ [name]: value })
  expect(secrets.size).toBe(0)
})

test.each([
  ['/v1/models', '/v1/models'],
  [`/v1/x?key=${KEY}&alt=sse`, '/v1/x?key=a-*****789&alt=sse'],
  [`/v1/x?api_key=${KEY}`, '/v1/x?api_key=a-*****789'],
  ['/v1/x?X-Amz-Signature=0123456789abcdef0123&a=b', '/v1/x?X-Amz-Signature=01*****123&a=b'],
])('%s is shown as %s', (url, shown) => {
  expect(maskedUrl(url)).toBe(shown)
})

test('fields of credentials in JSON', () => {
  expect(maskedFields(`{"apiKey": "${KEY}", "max_tokens": "5", "name": "x"}`, new Set())).toBe(
    '{"apiKey": "a-*****789", "max_tokens": "5", "name": "x"}',
  )
})
