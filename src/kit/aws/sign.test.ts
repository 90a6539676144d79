import { describe, expect, test } from 'bun:test'
import { HeaderList } from '../../core/header-fields.ts'
import vectors from './fixtures/signatures.json'
import { signRequest } from './sign.ts'

const { keys, region, service } = vectors
const at = new Date(vectors.at)

const signed = async (
  { method = 'POST', url, body }: { readonly method?: string; readonly url: string; readonly body?: string },
  headers = new HeaderList(),
  given: Parameters<typeof signRequest>[1] = keys,
): Promise<HeaderList> => {
  await signRequest(headers, given, { region, service }, { method, url, body, isStreamed: false }, at)
  return headers
}

describe('the published vectors', () => {
  test.each(vectors.cases.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const headers = new HeaderList()
    if (vector.contentType !== undefined) headers.set('content-type', vector.contentType)
    const { authorization } = Object.fromEntries(await signed(vector, headers))
    expect(authorization).toBe(vector.authorization)
  })
})

const HOST = 'https://bedrock-runtime.us-east-1.amazonaws.com'

test('the path is signed as it goes out, encoded once more', async () => {
  const urls = ['/model/a%3A0/converse', '/model/a:0/converse', '/model/arn%3Aaws%2Fx/converse']
  const signatures = await Promise.all(
    urls.map(async (path) => (await signed({ url: `${HOST}${path}` })).get('authorization')),
  )
  expect(new Set(signatures).size).toBe(3)
})

test('the token of a role is sent and signed', async () => {
  const headers = await signed({ url: HOST }, new HeaderList(), { ...keys, sessionToken: 'token' })
  expect(headers.get('x-amz-security-token')).toBe('token')
  expect(headers.get('authorization')).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
})

test('headers that a proxy may change are not signed', async () => {
  const headers = new HeaderList()
  for (const name of ['user-agent', 'accept', 'traceparent', 'x-amzn-bedrock-trace']) headers.set(name, 'x')
  const text = (await signed({ url: HOST }, headers)).get('authorization')
  expect(text).toContain('SignedHeaders=host;x-amz-date;x-amzn-bedrock-trace,')
})

test('bytes are signed as the text they are', async () => {
  const text = await signed({ url: HOST, body: '{"ä":1}' })
  const bytes = new HeaderList()
  const body = new TextEncoder().encode('{"ä":1}')
  await signRequest(bytes, keys, { region, service }, { method: 'POST', url: HOST, body, isStreamed: false }, at)
  expect(bytes.get('authorization')).toBe(text.get('authorization'))
})

test('a body that streams is not signed', async () => {
  const request = { method: 'POST', url: HOST, isStreamed: true }
  expect(signRequest(new HeaderList(), keys, { region, service }, request, at)).rejects.toThrow('cannot be signed')
})

/** Made with `S3SigV4Auth` of botocore 1.44.5 for the same moment and keys, payload unsigned. */
describe('S3', () => {
  test.each([
    [
      'PUT',
      '/bucket/weir-files/a%21b/in%20put.jsonl',
      'application/jsonl',
      'f06c52734123c5a772a24299bd666cac5e5443c49bd7a49b48325e09e114ad9e',
    ],
    [
      'GET',
      '/bucket?list-type=2&encoding-type=url&prefix=weir-files%2F',
      undefined,
      'c54382a6a2f0768ab6191c353bdb003159c822cb0d691030a40c33ecc7b98b7f',
    ],
  ])('%s %s is signed as the path stands, whatever the body', async (method, path, contentType, signature) => {
    const headers = new HeaderList()
    if (contentType !== undefined) headers.set('content-type', contentType)
    const request = { method, url: `https://s3.us-east-1.amazonaws.com${path}`, isStreamed: method === 'PUT' }
    await signRequest(headers, keys, { region: 'us-east-1', service: 's3' }, request, at)
    expect(headers.get('x-amz-content-sha256')).toBe('UNSIGNED-PAYLOAD')
    expect(headers.get('authorization')).toEndWith(`Signature=${signature}`)
  })
})
