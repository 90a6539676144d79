import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextPiece } from '../core/bodies/ready-stream.ts'
import type { EventOut } from '../core/mcp/event-out.ts'
import { type Message, toMessage } from '../core/mcp/json-rpc.ts'
import { MasterKey } from '../secrets/master-key.ts'
import { createOwnSeal } from '../secrets/own-seal.ts'
import { createServiceTokens } from './service-tokens.ts'
import { createSessionTokens, type McpSession } from './session-token.ts'
import { SseSession } from './sse-session.ts'
import { matchesTemplate } from './uri-template.ts'

const sealOf = (byte: number) =>
  createOwnSeal({ current: new MasterKey(new Uint8Array(32).fill(byte)) }, 'mcp sessions')

describe('ids of sessions', () => {
  const tokens = createSessionTokens(sealOf(7))
  const seal = (session: McpSession): string => {
    const token = tokens.seal(session)
    if (token === undefined) throw new Error('it was not sealed')
    return token
  }

  test('open to what was sealed, on every process with the same secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ maxLength: 1500 }), (serverId, callerId, upstream) => {
        const session = { serverId, callerId, upstream }
        expect(createSessionTokens(sealOf(7)).open(seal(session))).toEqual(session)
      }),
    )
  })

  test('changed by a letter, of another secret, or made up, they are none', () => {
    const token = seal({ serverId: 'a', callerId: 'b', upstream: 'c' })
    expect(createSessionTokens(sealOf(0)).open(token)).toBeUndefined()
    for (let index = 0; index < token.length - 1; index++) {
      const other = token[index] === 'A' ? 'B' : 'A'
      expect(tokens.open(`${token.slice(0, index)}${other}${token.slice(index + 1)}`)).toBeUndefined()
    }
    for (const made of ['', 'a', 'x'.repeat(10_000), crypto.randomUUID()]) expect(tokens.open(made)).toBeUndefined()
  })

  test('hold what a client began with: all of it, or its version, abilities and name, or nothing', () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: {}, roots: { listChanged: true } },
      clientInfo: { name: 'a', version: '1', title: 'An app' },
    }
    const session = { serverId: 'a', callerId: 'b', upstream: 'c' }
    expect(tokens.open(seal({ ...session, handshake: { params } }))?.handshake).toEqual({ params })
    const icons = [{ src: `data:image/png;base64,${'A'.repeat(5_000)}` }]
    const withIcons = { params: { ...params, clientInfo: { ...params.clientInfo, icons } } }
    expect(tokens.open(seal({ ...session, handshake: withIcons }))?.handshake).toEqual({
      params: { ...params, clientInfo: { name: 'a', version: '1' } },
    })
    const tooAble = { params: { ...params, capabilities: { experimental: { long: 'A'.repeat(5_000) } } } }
    expect(tokens.seal({ ...session, handshake: tooAble })).toBeUndefined()
    expect(tokens.seal({ ...session, upstream: 'c'.repeat(5_000) })).toBeUndefined()
  })

  test('are none any more once their session has ended', () => {
    const session = { serverId: 'a', callerId: 'b', upstream: 'ended' }
    const token = seal(session)
    tokens.end(session)
    expect(tokens.open(token)).toBeUndefined()
    expect(tokens.open(seal({ ...session, upstream: 'another' }))).toBeDefined()
  })
})

test('a template stands for every address that it may have made', () => {
  const part = fc.string({ maxLength: 8 }).filter((text) => !/[{}]/.test(text))
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(part, { minLength: 4, maxLength: 4 }),
      (fixed, values) => {
        const template = fixed.join('{value}')
        const uri = fixed.map((text, index) => (index === 0 ? text : `${values[index]}${text}`)).join('')
        expect(matchesTemplate(template, uri)).toBe(true)
      },
    ),
  )
  expect(matchesTemplate('file:///{name}.txt', 'file:///a.md')).toBe(false)
  expect(matchesTemplate('file:///a', 'file:///b')).toBe(false)
})

describe('a session with a server of the older transport', () => {
  const open = () => {
    const sent: Readonly<Record<string, unknown>>[] = []
    const session = new SseSession(0)
    session.open({
      async send(body) {
        sent.push(JSON.parse(new TextDecoder().decode(body)))
      },
      close: () => undefined,
    })
    return { session, sent }
  }
  const progressTokenOf = (message: unknown): unknown => Object(message).params?._meta?.progressToken
  const request = (id: number | string, more: object = {}): Message =>
    toMessage({ jsonrpc: '2.0', id, method: 'tools/call', params: more })
  const answer = (id: unknown, text: string): Message => toMessage({ jsonrpc: '2.0', id, result: { text } })
  const textOf = async (out: EventOut | undefined): Promise<string> => {
    let text = ''
    for (;;) {
      const piece = out && (await nextPiece(out))
      if (piece === undefined) return text
      text += new TextDecoder().decode(piece)
    }
  }

  test('gives each of two requests with the same id its own answer, whichever comes first', async () => {
    const { session, sent } = open()
    const [one, two] = [await session.send([request('a')]), await session.send([request('a')])]
    expect(sent[0]?.id).not.toBe(sent[1]?.id)
    session.receive(answer(sent[1]?.id, 'second'))
    session.receive(answer(sent[0]?.id, 'first'))
    expect(await textOf(one)).toBe('data: {"jsonrpc":"2.0","id":"a","result":{"text":"first"}}\n\n')
    expect(await textOf(two)).toContain('second')
  })

  test('hands progress to the request that it is about, and gives up what is cancelled by the id that the server knows', async () => {
    const { session, sent } = open()
    const one = await session.send([request(1, { _meta: { progressToken: 'p' } })])
    const two = await session.send([request(2)])
    const told = { progressToken: progressTokenOf(sent[0]), progress: 1 }
    session.receive(toMessage({ jsonrpc: '2.0', method: 'notifications/progress', params: told }))
    await session.send([toMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })])
    expect(sent.at(-1)).toMatchObject({ params: { requestId: sent[1]?.id } })
    session.receive(answer(sent[0]?.id, 'done'))
    session.end(undefined)
    expect(await textOf(one)).toContain('"progressToken":"p","progress":1')
    const given = await textOf(two)
    expect(given).not.toContain('progress')
    expect(given).toContain('-32603')
  })

  test('keeps what its server says before anybody listens, as far as there is room', async () => {
    const { session } = open()
    const said = (data: string) => toMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { data } })
    session.receive(toMessage({ jsonrpc: '2.0', id: 0, method: 'roots/list' }))
    session.receive(said('A'.repeat(100_000)))
    session.receive(said('small'))
    const first = session.listen()
    session.receive(said('heard'))
    const second = session.listen()
    session.end(undefined)
    const text = await textOf(first)
    expect([...text.matchAll(/roots\/list|small|heard|AAA/g)].flat()).toEqual(['roots/list', 'small', 'heard'])
    expect(await textOf(second)).toBe('')
  })

  test('tells clients apart that share it: by progress, and by what they give up', async () => {
    const { session, sent } = open()
    const same = { _meta: { progressToken: 1, other: 'kept' } }
    const [one, two] = [await session.send([request(1, same)]), await session.send([request(1, same)])]
    expect(sent[1]).toMatchObject({ params: { _meta: { other: 'kept' } } })
    const told = { progressToken: progressTokenOf(sent[1]), progress: 5 }
    session.receive(toMessage({ jsonrpc: '2.0', method: 'notifications/progress', params: told }))
    const before = sent.length
    for (const requestId of [1, sent[0]?.id, 'never asked']) {
      const params = { requestId }
      await session.send([toMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params })])
    }
    expect(sent).toHaveLength(before)
    session.receive(answer(sent[0]?.id, 'first'))
    session.receive(answer(sent[1]?.id, 'second'))
    expect(await textOf(one)).not.toContain('progress')
    expect(await textOf(two)).toContain('"progressToken":1,"progress":5')
  })

  test('an answer that nobody asked for, or that comes twice, is nobody’s', async () => {
    const { session, sent } = open()
    const one = await session.send([request(1)])
    session.receive(answer(99, 'somebody else'))
    session.receive(answer(sent[0]?.id, 'mine'))
    session.receive(answer(sent[0]?.id, 'again'))
    const text = await textOf(one)
    expect(text).toContain('mine')
    expect(text).not.toMatch(/somebody else|again/)
  })
})

describe('tokens of service accounts', () => {
  const account = {
    tokenEndpoint: 'https://issuer.example/token',
    clientId: 'weir',
    clientSecret: 'a secret & more',
    scope: 'tools',
    audience: undefined,
    resource: undefined,
    method: 'client_secret_post',
  } as const

  test('are asked for once, however many calls want one, and again before they end', async () => {
    let nowMs = 0
    const asked: string[] = []
    const tokens = createServiceTokens(
      {
        async send({ body = '' }) {
          asked.push(body)
          return { status: 200, text: JSON.stringify({ access_token: `token ${asked.length}`, expires_in: 60 }) }
        },
      },
      () => nowMs,
    )
    expect(await Promise.all([tokens.of(account), tokens.of(account)])).toEqual(['token 1', 'token 1'])
    expect(tokens.of(account)).toBe('token 1')
    expect(Object.fromEntries(new URLSearchParams(asked[0]))).toEqual({
      grant_type: 'client_credentials',
      scope: 'tools',
      client_id: 'weir',
      client_secret: 'a secret & more',
    })
    nowMs = 30_001
    expect(await tokens.of(account)).toBe('token 2')
    tokens.forget(account)
    expect(await tokens.of(account)).toBe('token 3')
  })

  test('a server that gives none is told of without its words', async () => {
    const text = JSON.stringify({ error: 'invalid_client', error_description: 'a secret & more' })
    const tokens = createServiceTokens({ send: async () => ({ status: 401, text }) }, () => 0)
    const thrown: unknown = await Promise.resolve(tokens.of(account)).catch((error: unknown) => error)
    expect(String(thrown)).toContain('invalid_client')
    expect(String(thrown)).not.toContain('a secret & more')
  })
})
