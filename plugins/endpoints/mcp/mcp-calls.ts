import { readMetadata } from '#calls/metadata'
import { keyDefaults } from '#calls/slots'
import { type Message, NotMessages, RPC, readMessages } from '#core/mcp/json-rpc'
import { MAX_MESSAGE_BYTES } from '#core/mcp/messages'
import type { McpTarget } from '#core/mcp/servers'
import { type Answer, BodyTooLarge, type Call, InvalidRequest, NotFound, ScopeMissing } from '#kit'
import { gatewayHeaders, principal, report } from '#kit/slots'
import { listenToServer, postMessages } from './endpoints.ts'
import { asAnswer } from './errors.ts'
import { Exchange, type McpHost } from './exchange.ts'
import { ManyServers } from './many/many-servers.ts'

export interface McpCallsOptions {
  readonly origins: ReadonlySet<string>
  /** Tools that the list of all servers may have before it is searched instead. */
  readonly searchAbove: number
}

/** Answers calls to MCP servers. */
export class McpCalls {
  readonly #host: McpHost
  readonly #exchange: Exchange
  readonly #many: ManyServers
  readonly #origins: ReadonlySet<string>

  constructor(host: McpHost, { origins, searchAbove }: McpCallsOptions) {
    this.#host = host
    this.#exchange = new Exchange(host)
    this.#many = new ManyServers(host, this.#exchange, searchAbove)
    this.#origins = origins
  }

  async answer(call: Call): Promise<Answer> {
    this.#refuseOrigin(call)
    const metadata = metadataOf(call)
    const { name, workspace } = call.request.params
    if (name === undefined) return this.#answerForMany(call, metadata, workspace)
    const target = this.#find(call)
    call.set(report, { provider: target.slug, model: '', droppedParams: [], stream: false })
    if (call.endpoint.id !== postMessages.id) {
      return this.#exchange.ask(call, { target, metadata }, call.endpoint.id === listenToServer.id ? 'GET' : 'DELETE')
    }
    const bytes = bodyOf(call)
    return this.#exchange.post(call, { target, metadata }, readAll(bytes), bytes)
  }

  /** The one address for all servers that the caller may use. @throws NotFound for a workspace that is not that of the key */
  #answerForMany(
    call: Call,
    metadata: Readonly<Record<string, string>>,
    workspace: string | undefined,
  ): Promise<Answer> {
    const { workspaceId = '', userId } = call.get(principal)
    const { mcp } = this.#host
    if (workspace !== undefined && !mcp.isWorkspace(workspaceId, workspace)) {
      throw new NotFound(`The key is not of the workspace '${workspace}'.`)
    }
    const targets = mcp.list(workspaceId).filter((target) => target.allows(userId))
    const asked = { call, metadata, targets }
    call.set(report, { provider: 'mcp', model: '', droppedParams: [], stream: false })
    if (call.endpoint.id === listenToServer.id) return this.#many.listen(asked)
    if (call.endpoint.id !== postMessages.id) return this.#many.end(asked)
    return this.#many.post(asked, readAll(bodyOf(call)))
  }

  /** @throws ScopeMissing for a page of somewhere else (specification 2025-11-25, "Security Warning" of its transports) */
  #refuseOrigin(call: Call): void {
    const { headers } = call.request
    const origin = headers.get('origin')
    if (origin === null || this.#origins.has(origin) || this.#origins.has('*')) return
    if (isOwn(origin, headers.get('host'), this.#host.publicUrl)) return
    throw new ScopeMissing('Pages of this origin may not call MCP servers: the operator allows origins.', {
      param: 'origin',
    })
  }

  /** @throws NotFound, ScopeMissing */
  #find(call: Call): McpTarget {
    const { workspaceId = '', userId } = call.get(principal)
    const { name = '', server, workspace = server === undefined ? undefined : name } = call.request.params
    const reference = server ?? name
    const { mcp } = this.#host
    const isElsewhere = workspace !== undefined && !mcp.isWorkspace(workspaceId, workspace)
    const target = isElsewhere ? undefined : mcp.find(workspaceId, reference)
    if (target === undefined) throw new NotFound(`There is no MCP server '${reference}' in the workspace of the key.`)
    if (!target.allows(userId))
      throw new ScopeMissing(`The user of the key may not use the MCP server '${target.slug}'.`)
    return target
  }
}

/** Names that mean this machine; an address means itself, whoever answers for names. */
const NO_NAME = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/

/**
 * Whether a page comes from this gateway. A name proves nothing unless it is the operator's: anybody's name may lead here for a
 * while (DNS rebinding).
 */
const isOwn = (origin: string, host: string | null, publicUrl: string | undefined): boolean => {
  const from = URL.parse(origin)
  if (from === null) return false
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true
  return from.host === host && NO_NAME.test(from.hostname)
}

const bodyOf = (call: Call): Uint8Array => {
  const { body, headers } = call.request
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (body.kind !== 'whole' || (type !== undefined && type !== 'application/json')) {
    throw asAnswer(new InvalidRequest('Messages are sent as `application/json`.', { param: 'content-type' }), null, {
      code: RPC.parse,
      status: 415,
    })
  }
  if (body.bytes.length > MAX_MESSAGE_BYTES) {
    throw asAnswer(new BodyTooLarge(`A message may have ${MAX_MESSAGE_BYTES} bytes.`), null, {
      code: RPC.invalidRequest,
    })
  }
  return body.bytes
}

/** @throws the answer to what is no message */
const readAll = (bytes: Uint8Array): readonly Message[] => {
  try {
    return readMessages(bytes)
  } catch (thrown) {
    if (!(thrown instanceof NotMessages)) throw thrown
    throw asAnswer(new InvalidRequest(thrown.message), null, { code: thrown.code, data: {} })
  }
}

const metadataOf = (call: Call): Readonly<Record<string, string>> => {
  const headers = call.get(gatewayHeaders)
  const own = readMetadata(headers.get('metadata'), call.request.headers.get('baggage'))
  const { userId } = call.get(principal)
  return { ...(userId === undefined ? {} : { _user: userId }), ...own, ...call.get(keyDefaults).metadata }
}
