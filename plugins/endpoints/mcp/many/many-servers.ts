import { Cancellation } from '#core/cancellation'
import { McpSessionGone } from '#core/mcp/ask'
import { EventOut } from '#core/mcp/event-out'
import { type Message, type MessageId, RPC, resultOf, toBytes, toMessage } from '#core/mcp/json-rpc'
import { isEvents, messagesOf } from '#core/mcp/messages'
import type { McpTarget } from '#core/mcp/servers'
import { type Answer, type Call, GatewayError, InvalidRequest, isRecord, NotFound } from '#kit'
import { principal, report } from '#kit/slots'
import { asAnswer } from '../errors.ts'
import type { Exchange, McpHost } from '../exchange.ts'
import { LISTED, NAMING, namedBy } from '../hidden.ts'
import { eventHeaders, idOf, NOTHING, notHere } from '../refusals.ts'
import { Digests, isDigest, type OwnName, publicUri, readPublicId, readPublicName, readPublicUri } from './names.ts'
import { outwardOf } from './outward.ts'
import { rankTools } from './rank.ts'
import { CALL_TOOL, MAX_SEARCH_LIMIT, SEARCH_LIMIT, SEARCH_TOOLS, STAND_INS } from './searched.ts'
import { sideBySide } from './side-by-side.ts'

type Fields = Readonly<Record<string, unknown>>
type Request = Message & { readonly kind: 'request' }

/** A call of the one address, with the servers that its caller may use. */
export interface Asked {
  readonly call: Call
  readonly metadata: Readonly<Record<string, string>>
  readonly targets: readonly McpTarget[]
}

/** Servers that are asked at once for one call. */
const AT_ONCE = 8
/** Milliseconds that a list waits for one server. */
const LIST_MS = 10_000
/** Servers that one client listens to. */
const MAX_LISTENED = 64
/** Where a result says which servers are left out of it. */
const UNAVAILABLE = 'weir/unavailable'

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
}

/** All servers that a caller may use, as one. */
export class ManyServers {
  readonly #host: McpHost
  readonly #exchange: Exchange
  readonly #searchAbove: number
  readonly #digests = new Digests()
  /** Servers that work on a request of a session: where its cancellation goes. */
  readonly #running = new Map<string, McpTarget>()

  constructor(host: McpHost, exchange: Exchange, searchAbove: number) {
    this.#host = host
    this.#exchange = exchange
    this.#searchAbove = searchAbove
  }

  async post(asked: Asked, messages: readonly Message[]): Promise<Answer> {
    this.#resume(asked.call, messages)
    const [message] = messages
    if (message === undefined || messages.length > 1) {
      const error = new InvalidRequest('The address of all servers takes one message at a time, no batch.')
      throw asAnswer(error, null, { code: RPC.invalidRequest, data: {} })
    }
    if (message.kind === 'request') return this.#request(asked, message)
    if (message.kind === 'notification') return this.#notice(asked, message)
    const found = readPublicId(asked.targets, message.id)
    // Nobody has asked: nobody is told.
    if (found === undefined) return empty(202)
    return this.#pass(asked, found.target, { ...message.fields, id: found.id })
  }

  /** What the servers say without being asked, in one stream; a server that cannot be listened to is left out. */
  async listen({ call, targets }: Asked): Promise<Answer> {
    this.#resume(call, [])
    if (targets.length === 0) return empty(405)
    const life = new Cancellation()
    const end = (): void => life.abort(new Error('nobody listens any more'))
    const out = new EventOut(end)
    call.onFinish(end)
    call.markAnswerBegun(true)
    for (const target of targets.slice(0, MAX_LISTENED)) {
      this.#listenTo(call, target, out, life).catch(() => undefined)
    }
    return { status: 200, headers: eventHeaders(), body: out, verbatim: true }
  }

  async #listenTo(call: Call, target: McpTarget, out: EventOut, signal: Cancellation): Promise<void> {
    const reply = await this.#exchange.send(call, target, 'GET', { signal, lastEventId: undefined }, [])
    if (reply.status !== 200 || !isEvents(reply)) return reply.body.cancel()
    const outward = outwardOf(target.slug)
    for await (const message of messagesOf(reply)) {
      // One server could answer what another was asked.
      if (message.kind === 'answer') continue
      if (!out.write(outward.message(message))) return
    }
  }

  /** Ends the sessions with all servers. */
  async end({ call, targets }: Asked): Promise<Answer> {
    const session = this.#resume(call, [])
    if (session === undefined) return empty(405)
    await sideBySide(targets, AT_ONCE, async (target) => {
      const { body } = await this.#exchange.send(call, target, 'DELETE', {}, [])
      body.cancel()
    })
    this.#host.mcp.end(call.get(principal), session)
    return empty(200)
  }

  /** The session that a client goes on with, if any. @throws the answer to a session that is none */
  #resume(call: Call, messages: readonly Message[]): string | undefined {
    const session = call.request.headers.get('mcp-session-id') ?? undefined
    if (session === undefined || isInitialize(messages)) return undefined
    try {
      this.#host.mcp.resume(call.get(principal), session)
    } catch (thrown) {
      if (!(thrown instanceof McpSessionGone)) throw thrown
      throw asAnswer(new NotFound(thrown.message), idOf(messages))
    }
    return session
  }

  async #request(asked: Asked, message: Request): Promise<Answer> {
    const { id, method, params } = message
    if (method === 'initialize') return this.#initialize(asked.call, message)
    if (method === 'ping') return answerOf(id, {})
    if (LISTED.has(method)) return answerOf(id, await this.#list(asked, message))
    if (method === 'logging/setLevel') {
      await this.#tellAll(asked, method, params)
      return answerOf(id, {})
    }
    if (method === 'tools/call' && params.name === SEARCH_TOOLS) return this.#search(asked, message)
    if (method === 'tools/call' && params.name === CALL_TOOL) {
      const given = isRecord(params.arguments) ? params.arguments : {}
      const { arguments: _, ...rest } = params
      return this.#call(asked, toRequest(message, { ...rest, name: given.name, arguments: given.arguments ?? {} }))
    }
    return this.#call(asked, message)
  }

  /** A request about something of one server. */
  async #call(asked: Asked, message: Request): Promise<Answer> {
    const named = namedBy(message)
    if (named === undefined) {
      const isKnown = NAMING.has(message.method)
      const error = new InvalidRequest(
        isKnown ? 'The message names nothing that is here.' : `There is no method '${message.method}' here.`,
        { param: isKnown ? 'params' : 'method' },
      )
      throw asAnswer(error, message.id, {
        code: isKnown ? RPC.invalidParams : RPC.methodNotFound,
        status: 200,
        data: {},
      })
    }
    const isByUri = named.type === 'resource' || named.type === 'resource_template'
    const found = isByUri
      ? readPublicUri(asked.targets, named.name)
      : await this.#byName(asked, named.type === 'tool' ? 'tools/list' : 'prompts/list', named.name)
    if (found === undefined) throw notHere(named, message.id)
    const key = this.#runningKey(asked.call, message.id)
    if (key !== undefined) {
      this.#running.set(key, found.target)
      asked.call.onFinish(() => this.#running.delete(key))
    }
    return this.#pass(asked, found.target, toRequest(message, inward(message, found)).fields)
  }

  async #byName(asked: Asked, method: string, name: string): Promise<OwnName | undefined> {
    if (!isDigest(name)) return readPublicName(asked.targets, name)
    const known = this.#digests.read(asked.targets, name)
    if (known !== undefined) return known
    await this.#gather(asked, method, null)
    return this.#digests.read(asked.targets, name)
  }

  #pass(asked: Asked, target: McpTarget, fields: object): Promise<Answer> {
    const { call, metadata } = asked
    return this.#exchange.post(call, { target, metadata }, [toMessage(fields)], toBytes(fields), outwardOf(target.slug))
  }

  async #notice(asked: Asked, { method, params, fields }: Message & { kind: 'notification' }): Promise<Answer> {
    const { call, targets } = asked
    if (method === 'notifications/cancelled') {
      const running = this.#running.get(this.#runningKey(call, params.requestId) ?? '')
      // By id, so that it is still one that the caller may use.
      const own = targets.find(({ id }) => id === running?.id)
      return own === undefined ? empty(202) : this.#pass(asked, own, fields)
    }
    if (method === 'notifications/progress') {
      const found = readPublicId(targets, params.progressToken)
      if (found === undefined) return empty(202)
      return this.#pass(asked, found.target, { ...fields, params: { ...params, progressToken: found.id } })
    }
    if (method === 'notifications/roots/list_changed') await this.#tellAll(asked, method, params, true)
    return empty(202)
  }

  /** Where a request of a session is found while it runs; clients without one cannot be told apart. */
  #runningKey(call: Call, id: unknown): string | undefined {
    const token = call.request.headers.get('mcp-session-id')
    return token === null ? undefined : `${call.get(principal).keyId} ${token} ${JSON.stringify(id)}`
  }

  /** Those who cannot be told are away, or know no such thing. */
  async #tellAll({ call, targets }: Asked, method: string, params: Fields, isNotice = false): Promise<void> {
    await sideBySide<McpTarget, unknown>(targets, AT_ONCE, (target) =>
      isNotice
        ? this.#exchange.tell(call, target, method, params, LIST_MS)
        : this.#exchange.request(call, target, { method, params, ms: LIST_MS }),
    )
  }

  #initialize(call: Call, { id, params }: Request): Answer {
    const { protocolVersion } = params
    const version = VERSIONS.find((each) => each === protocolVersion) ?? VERSIONS[0]
    const session = this.#begin(call, id, { ...params, protocolVersion: version })
    const answer = answerOf(id, {
      protocolVersion: version,
      capabilities: CAPABILITIES,
      serverInfo: { name: 'weir', title: 'Weir', version: this.#host.mcp.version },
      instructions: `Tools of several servers. Their names begin with the name of the server. Where ${SEARCH_TOOLS} is listed, find tools with it and call them with ${CALL_TOOL}.`,
    })
    answer.headers.set('mcp-session-id', session)
    return answer
  }

  #begin(call: Call, id: MessageId, params: Fields): string {
    try {
      return this.#host.mcp.begin(call.get(principal), params)
    } catch (thrown) {
      if (!(thrown instanceof InvalidRequest)) throw thrown
      throw asAnswer(thrown, id, { code: RPC.invalidParams, status: 200, data: {} })
    }
  }

  async #list(asked: Asked, { id, method }: Request): Promise<Fields> {
    const { items, away } = await this.#gather(asked, method, id)
    const field = LISTED.get(method)?.field ?? ''
    const isSearched = method === 'tools/list' && items.length > this.#searchAbove
    return { [field]: isSearched ? STAND_INS : items, ...leftOut(away) }
  }

  async #search(asked: Asked, { id, params }: Request): Promise<Answer> {
    const { query, limit = SEARCH_LIMIT } = isRecord(params.arguments) ? params.arguments : {}
    const isLimit = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_SEARCH_LIMIT
    if (typeof query !== 'string' || !isLimit) {
      const param = typeof query === 'string' ? 'limit' : 'query'
      const wanted = param === 'query' ? 'is a text' : `is a whole number from 1 to ${MAX_SEARCH_LIMIT}`
      const error = new InvalidRequest(`The argument '${param}' ${wanted}.`, { param })
      throw asAnswer(error, id, { code: RPC.invalidParams, status: 200, data: { param } })
    }
    asked.call.set(report, { provider: 'mcp', model: SEARCH_TOOLS, droppedParams: [], stream: false })
    const { items, away } = await this.#gather(asked, 'tools/list', id)
    const tools = rankTools(items, query, limit).map(({ name, title, description, inputSchema }) => ({
      name,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema,
    }))
    const found = { tools }
    return answerOf(id, {
      content: [{ type: 'text', text: JSON.stringify(found) }],
      structuredContent: found,
      ...leftOut(away),
    })
  }

  /** What all servers list, each under the name that it has here. @throws the answer for a session that is none */
  async #gather(
    { call, targets }: Asked,
    method: string,
    id: MessageId | null,
  ): Promise<{ readonly items: readonly Fields[]; readonly away: readonly string[] }> {
    const outcomes = await sideBySide(targets, AT_ONCE, (target) => this.#exchange.list(call, target, method, LIST_MS))
    const items: Fields[] = []
    const away: string[] = []
    for (const [index, outcome] of outcomes.entries()) {
      const slug = targets[index]?.slug ?? ''
      if (outcome.status === 'fulfilled') items.push(...outcome.value.map((item) => this.#named(method, slug, item)))
      else if (outcome.reason instanceof GatewayError && outcome.reason.code === 'not_found') {
        throw asAnswer(new NotFound(outcome.reason.message), id)
      } else away.push(slug)
    }
    return { items, away }
  }

  #named(method: string, slug: string, item: Fields): Fields {
    const key = LISTED.get(method)?.key ?? 'name'
    const name = String(item[key])
    return { ...item, [key]: key === 'name' ? this.#digests.learn(slug, name) : publicUri(slug, name) }
  }
}

const isInitialize = ([message]: readonly Message[]): boolean =>
  message?.kind === 'request' && message.method === 'initialize'

/** An answer without words. Made anew for each call, as headers are added to it. */
const empty = (status: number): Answer => ({
  status,
  headers: new Headers(status === 405 ? { allow: 'POST' } : {}),
  body: NOTHING,
})

const answerOf = (id: MessageId, result: object) => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: toBytes(resultOf(id, result)),
})

const leftOut = (away: readonly string[]): Fields =>
  away.length === 0 ? {} : { _meta: { [UNAVAILABLE]: away.map((server) => ({ server })) } }

const toRequest = (message: Request, params: Fields): Request => ({
  ...message,
  params,
  fields: { ...message.fields, params },
})

/** The params of a request, with what it names as its server calls it. */
const inward = ({ params }: Request, { name }: OwnName): Fields => {
  if (isRecord(params.ref)) {
    const { ref } = params
    return { ...params, ref: ref.type === 'ref/prompt' ? { ...ref, name } : { ...ref, uri: name } }
  }
  return params.uri === undefined ? { ...params, name } : { ...params, uri: name }
}
