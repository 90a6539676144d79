import { AwsV4Signer } from 'aws4fetch'
import { type Fixture, loadFixtures } from '../../../src/kit/testing/fixture.ts'
import { CANARY } from './support.ts'

/** Keys that are known, by their ids. */
const SECRETS: Readonly<Record<string, string>> = {
  AKIDCALLER123456: `caller-${CANARY}`,
  AKIDOPERATOR1234: `operator-${CANARY}`,
  ASIAROLE12345678: `role-${CANARY}`,
}

const fixtures = (provider: string): ReadonlyMap<string, Fixture> =>
  new Map(
    loadFixtures(new URL(`../../../plugins/providers/${provider}/fixtures/`, import.meta.url)).map(
      ({ name, fixture }) => [name, fixture],
    ),
  )

/** A call as it came. */
export interface Signed {
  readonly method: string
  /** As on the wire, still encoded. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/**
 * AWS on a loopback socket: each signature is made again by another implementation (aws4fetch), answers are the recorded ones, and
 * `/` is the token service.
 */
export interface FakeAws {
  readonly url: string
  readonly requests: readonly Signed[]
  /** Name of the fixture that the next calls are answered with. */
  answer: string
  /** What they are answered with in its place. */
  instead: object | undefined
  /** Roles that were given. */
  roles: number
  roleStatus: number
  close(): Promise<void>
}

export const startFakeAws = (provider: string): FakeAws => {
  const byName = fixtures(provider)
  const requests: Signed[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, { url }) {
      const path = request.url.slice(url.origin.length)
      const signed = { method: request.method, path, headers: request.headers, body: await request.text() }
      requests.push(signed)
      const wrong = await refusal(signed, url.origin)
      if (wrong !== undefined) return Response.json({ message: wrong }, { status: 403 })
      if (path === '/') return role(aws)
      return aws.instead === undefined ? replay(byName.get(aws.answer)) : Response.json(aws.instead)
    },
  })
  const aws: FakeAws = {
    url: server.url.origin,
    requests,
    answer: 'plain-text',
    instead: undefined,
    roles: 0,
    roleStatus: 200,
    close: () => server.stop(true),
  }
  return aws
}

const replay = (fixture: Fixture | undefined): Response => {
  if (fixture === undefined) return Response.json({ message: 'no such fixture' }, { status: 404 })
  if (fixture.framedStream === undefined) return Response.json(fixture.answer, { status: fixture.status ?? 200 })
  const bytes = Buffer.from(fixture.framedStream, 'base64')
  const pieces = async function* () {
    // Messages are cut anywhere.
    for (let at = 0; at < bytes.length; at += 97) {
      yield bytes.subarray(at, at + 97)
      await Bun.sleep(1)
    }
  }
  return new Response(pieces(), { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })
}

const role = (aws: FakeAws): Response => {
  const headers = { 'content-type': 'text/xml' }
  if (aws.roleStatus !== 200) {
    const text =
      '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not authorized</Message></Error></ErrorResponse>'
    return new Response(text, { status: aws.roleStatus, headers })
  }
  aws.roles += 1
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const keys = `<AccessKeyId>ASIAROLE12345678</AccessKeyId><SecretAccessKey>${SECRETS.ASIAROLE12345678}</SecretAccessKey>`
  const text = `<AssumeRoleResponse><AssumeRoleResult><Credentials>${keys}<SessionToken>session-${CANARY}</SessionToken><Expiration>${end}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`
  return new Response(text, { headers })
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([a-z0-9-]+)\/([a-z]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** What is wrong with a signature. */
const refusal = async (request: Signed, base: string): Promise<string | undefined> => {
  const given = request.headers.get('authorization') ?? ''
  const [, id = '', , region = '', service = '', signed = ''] = AUTHORIZATION.exec(given) ?? []
  const secretAccessKey = SECRETS[id]
  if (secretAccessKey === undefined) return 'The security token included in the request is invalid.'
  const names = signed.split(';')
  for (const needed of ['host', 'x-amz-date']) if (!names.includes(needed)) return `${needed} is not signed`
  const sessionToken = request.headers.get('x-amz-security-token') ?? undefined
  if (
    (id.startsWith('ASIA') && sessionToken === undefined) ||
    (sessionToken !== undefined && !names.includes('x-amz-security-token'))
  ) {
    return 'the token of the session is not signed'
  }
  const others = names.filter((name) => name !== 'host' && name !== 'x-amz-date' && name !== 'x-amz-security-token')
  const signer = new AwsV4Signer({
    method: request.method,
    url: `${base}${request.path}`,
    headers: Object.fromEntries(others.map((name) => [name, request.headers.get(name) ?? ''])),
    body: request.body,
    accessKeyId: id,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service,
    region,
    datetime: request.headers.get('x-amz-date') ?? '',
    allHeaders: true,
  })
  return (await signer.authHeader()) === given
    ? undefined
    : 'The request signature we calculated does not match the signature you provided.'
}
