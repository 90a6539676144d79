import { serverSpan } from '#calls/slots'
import { type Abortable, Cancellation } from '#core/cancellation'
import { type McpReply, McpSessionGone } from '#core/mcp/ask'
import { type Message, NotMessages, RPC, resultOf, toBytes, toMessage } from '#core/mcp/json-rpc'
import { McpLoginMissing } from '#core/mcp/login-missing'
import { isEvents, messagesOf } from '#core/mcp/messages'
import type { McpCaller, McpTarget } from '#core/mcp/servers'
import { McpUnreachable } from '#core/mcp/unreachable'
import { type Answer, type Call, GatewayError, type Host, isRecord, NotFound, UpstreamUnreachable } from '#kit'
import { issuedToken, principal, report } from '#kit/slots'
import { within } from '#timing/within'
import { asAnswer } from './errors.ts'
import { forwardedHeaders } from './forwarded.ts'
import { isHidden, itemsOf, LISTED, namedBy, withoutHidden } from './hidden.ts'
import {
  deniedMessage,
  eventHeaders,
  idOf,
  loginNeeded,
  NOTHING,
  notHere,
  pick,
  refusal,
  refused,
  unreachable,
} from './refusals.ts'
import { type Owed, type Rewrite, rewriteEvents, rewriteJson } from './replies.ts'
import { ToolDenied, ToolGuardrails } from './tool-guardrails.ts'
import { admitTool, tellLimits } from './tool-limits.ts'

export type McpHost = Pick<
  Host,
  'checkPowers' | 'checks' | 'clock' | 'guardrails' | 'limits' | 'mcp' | 'publicUrl' | 'randomId' | 'records'
>

type Fields = Readonly<Record<string, unknown>>

/** A list of one server is cut off there. */
const MAX_ITEMS = 5_000
const MAX_PAGES = 100

/** A server that is called, and what the caller says of its call. */
export interface Prepared {
  readonly target: McpTarget
  readonly metadata: Readonly<Record<string, string>>
}

/** How what a server says is put for a client that talks to several of them. */
export interface Outward {
  result(result: Fields): Fields
  /** A request or a notice of the server. */
  message(message: Message): object
}

/** The way of messages to one server and back: what is hidden, limited, checked and recorded on it. */
export class Exchange {
  readonly #host: McpHost
  readonly #guardrails: ToolGuardrails

  constructor(host: McpHost) {
    this.#host = host
    this.#guardrails = new ToolGuardrails(host)
  }

  /** @param bytes of the messages */
  async post(
    call: Call,
    prepared: Prepared,
    messages: readonly Message[],
    bytes: Uint8Array,
    outward?: Outward,
  ): Promise<Answer> {
    const { target } = prepared
    // Before anything is refused: the record says which tool it was.
    describe(call, target, messages)
    const owed: Owed = new Map()
    const sent: object[] = []
    for (const message of messages) sent.push(await this.#prepare(call, message, prepared, owed, bytes.length))
    if (outward !== undefined) putOutward(owed, outward)
    const isSame = sent.every((each, index) => each === messages[index]?.fields)
    const body = isSame ? bytes : toBytes(sent.length === 1 ? sent[0] : sent)
    const [first] = messages
    const isInitialize = first?.kind === 'request' && first.method === 'initialize'
    const reply = await this.send(call, target, 'POST', { body, isInitialize }, messages)
    return this.#toAnswer(call, reply, owed, messages, outward)
  }

  /**
   * Looks at a message before it goes on.
   * @returns what is sent in its place
   * @throws the answer to it, where it does not go on
   */
  async #prepare(
    call: Call,
    message: Message,
    { target, metadata }: Prepared,
    owed: Owed,
    bytes: number,
  ): Promise<object> {
    const named = namedBy(message)
    if (named !== undefined && isHidden(target, named)) {
      throw notHere(named, message.kind === 'request' ? message.id : null)
    }
    if (message.kind !== 'request') return message.fields
    const { method, params } = message
    if (LISTED.has(method)) {
      owed.set(message.id, ({ id: answered, fields }) => {
        const { result } = fields
        if (answered === null || typeof result !== 'object' || result === null) return fields
        const told = result as Readonly<Record<string, unknown>>
        const isAll = params.cursor === undefined && told.nextCursor === undefined
        if (isAll) this.#see(target, method, told)
        const shown = withoutHidden(target, method, told)
        return shown === told ? fields : resultOf(answered, shown)
      })
      return message.fields
    }
    owed.set(message.id, undefined)
    if (named?.type !== 'tool') return message.fields
    const tool = { target, name: named.name, metadata }
    try {
      await admitTool(call, this.#host.limits, { target, tool: named.name, bytes, metadata })
      tellLimits(call)
      const output = this.#guardrails.of(call, tool, 'output')
      if (output.some((group) => group.length > 0)) {
        owed.set(message.id, (response) => this.#checkResult(call, tool, output, response))
      }
      const input = this.#guardrails.of(call, tool, 'input')
      if (!input.some((group) => group.length > 0)) return message.fields
      const checked = await this.#guardrails.check(call, tool, 'input', input, params)
      return checked === params ? message.fields : { ...message.fields, params: checked }
    } catch (thrown) {
      tellLimits(call)
      throw thrown instanceof GatewayError ? refusal(thrown, message.id) : thrown
    }
  }

  async #checkResult(
    call: Call,
    tool: Parameters<ToolGuardrails['check']>[1],
    groups: Parameters<ToolGuardrails['check']>[3],
    { id, fields }: Message & { readonly kind: 'answer' },
  ): Promise<object> {
    const { result } = fields
    if (id === null || !isRecord(result) || groups.every((group) => group.length === 0)) return fields
    try {
      const checked = await this.#guardrails.check(call, tool, 'output', groups, result)
      return checked === result ? fields : { ...fields, result: checked }
    } catch (thrown) {
      if (!(thrown instanceof ToolDenied)) throw thrown
      return deniedMessage(thrown, id)
    }
  }

  #see(target: McpTarget, method: string, result: Fields): void {
    const type = LISTED.get(method)?.type
    if (type !== undefined) this.#host.mcp.seen(target, type, itemsOf(method, result))
  }

  /**
   * All that a server lists and callers may see. What it does not offer is an empty list.
   * @throws the error that an answer would be; UpstreamUnreachable beyond the milliseconds
   */
  async list(call: Call, target: McpTarget, method: string, ms: number): Promise<readonly Fields[]> {
    const { field = '' } = LISTED.get(method) ?? {}
    const items: Fields[] = []
    const until = this.#host.clock.monotonicMs() + ms
    let cursor: unknown
    for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const left = Math.max(1, until - this.#host.clock.monotonicMs())
      const result = await this.request(call, target, { method, params, ms: left })
      if (result === undefined) break
      items.push(...itemsOf(method, result))
      cursor = result.nextCursor
      if (typeof cursor !== 'string' || cursor === '') break
    }
    const all = { [field]: items }
    this.#see(target, method, all)
    return itemsOf(method, withoutHidden(target, method, all))
  }

  /** A request of the gateway's own. @returns undefined from a server that knows no such method */
  async request(
    call: Call,
    target: McpTarget,
    { method, params, ms }: { readonly method: string; readonly params: Fields; readonly ms: number },
  ): Promise<Fields | undefined> {
    const message = toMessage({ jsonrpc: '2.0', id: this.#host.randomId(), method, params })
    return inTime(call, ms, async (signal) => {
      const reply = await this.send(call, target, 'POST', { body: toBytes(message.fields), signal }, [message])
      if (reply.status !== 200) {
        reply.body.cancel()
        throw new UpstreamUnreachable(`The MCP server answered with status ${reply.status}.`)
      }
      for await (const { kind, fields } of messagesOf(reply)) {
        if (kind !== 'answer' || fields.id !== message.fields.id) continue
        if (isRecord(fields.result)) return fields.result
        if (isRecord(fields.error) && fields.error.code === RPC.methodNotFound) return undefined
        break
      }
      throw new UpstreamUnreachable('The MCP server gave no result.')
    })
  }

  /** Passes a notice of a client on. */
  tell(call: Call, target: McpTarget, method: string, params: Fields, ms: number): Promise<void> {
    const body = toBytes({ jsonrpc: '2.0', method, params })
    return inTime(call, ms, async (signal) => {
      const reply = await this.send(call, target, 'POST', { body, signal }, [])
      reply.body.cancel()
    })
  }

  async ask(call: Call, { target, metadata }: Prepared, method: 'GET' | 'DELETE'): Promise<Answer> {
    const reply = await this.send(call, target, method, {}, [])
    const { status, headers, body } = reply
    if (method === 'DELETE' || status !== 200) {
      body.cancel()
      return { status, headers: pick(headers, ['allow']), body: NOTHING }
    }
    call.markAnswerBegun(true)
    const others: Rewrite = (answer) => this.#checkOther(call, { target, metadata }, answer)
    return { status, headers: eventHeaders(), body: rewriteEvents(body, new Map(), { others }), verbatim: true }
  }

  /**
   * An answer whose request is not known here, as a stream has it that a client goes on with: nothing hidden is listed in it, and
   * all guardrails of the server look at it that look at the results of any tool.
   */
  async #checkOther(
    call: Call,
    { target, metadata }: Prepared,
    answer: Message & { readonly kind: 'answer' },
  ): Promise<object> {
    const { id, fields } = answer
    const { result } = fields
    if (id === null || !isRecord(result)) return fields
    let shown = result
    for (const method of LISTED.keys()) shown = withoutHidden(target, method, shown)
    const told = shown === result ? answer : { ...answer, fields: { ...fields, result: shown } }
    const tool = { target, name: undefined, metadata }
    return this.#checkResult(call, tool, this.#guardrails.of(call, tool, 'output'), told)
  }

  /** @throws the answer to the messages, where the server cannot be asked */
  async send(
    call: Call,
    target: McpTarget,
    method: 'GET' | 'POST' | 'DELETE',
    sent: {
      readonly body?: Uint8Array
      readonly isInitialize?: boolean
      readonly signal?: Abortable
      readonly lastEventId?: undefined
    },
    messages: readonly Message[],
  ): Promise<McpReply> {
    const { headers } = call.request
    call.markProviderReached()
    try {
      return await this.#host.mcp.ask(target, {
        method,
        signal: call.cancellation,
        session: headers.get('mcp-session-id') ?? undefined,
        protocolVersion: headers.get('mcp-protocol-version') ?? undefined,
        lastEventId: headers.get('last-event-id') ?? undefined,
        forwarded: forwardedHeaders(call, target),
        caller: callerOf(call),
        ...sent,
      })
    } catch (thrown) {
      const id = idOf(messages)
      if (thrown instanceof McpSessionGone) throw asAnswer(new NotFound(thrown.message), id)
      if (thrown instanceof McpUnreachable) throw unreachable(thrown.message, id, thrown)
      if (thrown instanceof McpLoginMissing) throw loginNeeded(call, thrown, id)
      if (thrown instanceof GatewayError && thrown.code !== 'internal_error') {
        throw asAnswer(thrown, id, { code: RPC.internal, status: id === null ? thrown.status : 200 })
      }
      throw thrown
    }
  }

  async #toAnswer(
    call: Call,
    reply: McpReply,
    owed: Owed,
    messages: readonly Message[],
    outward: Outward | undefined,
  ): Promise<Answer> {
    const { status, body, session } = reply
    const given = session === undefined ? [] : ([['mcp-session-id', session]] as const)
    if ((status === 202 || status === 200) && owed.size === 0) {
      body.cancel()
      return { status: 202, headers: new Headers(given as [string, string][]), body: NOTHING }
    }
    if (status === 202) {
      body.cancel()
      throw unreachable('The MCP server gave no answer.', idOf(messages), undefined)
    }
    if (status !== 200) return refused(reply, idOf(messages))
    if (isEvents(reply)) {
      call.markAnswerBegun(true)
      const told = eventHeaders()
      for (const [name, value] of given) told.set(name, value)
      return { status, headers: told, body: rewriteEvents(body, owed, { pass: outward?.message }), verbatim: true }
    }
    try {
      const bytes = await rewriteJson(body, owed, { pass: outward?.message })
      return {
        status,
        headers: new Headers([['content-type', 'application/json'], ...given] as [string, string][]),
        body: bytes,
      }
    } catch (thrown) {
      if (thrown instanceof NotMessages)
        throw unreachable('The MCP server answered with what is no message.', idOf(messages), thrown)
      if (thrown instanceof GatewayError) throw asAnswer(thrown, idOf(messages), { code: RPC.internal, status: 200 })
      throw thrown
    }
  }
}

const callerOf = (call: Call): McpCaller => {
  const token = call.find(issuedToken)
  const caller = call.get(principal)
  return token === undefined ? caller : { ...caller, token }
}

/** Does something that is given up with the call, or after so many milliseconds. */
const inTime = async <T>(call: Call, ms: number, work: (signal: Abortable) => Promise<T>): Promise<T> => {
  const given = new Cancellation()
  const leave = (): void => given.abort(call.cancellation.reason)
  call.cancellation.addEventListener('abort', leave)
  const late = (): Error => {
    const error = new UpstreamUnreachable(`The MCP server did not answer within ${Math.ceil(ms)} ms.`)
    given.abort(error)
    return error
  }
  try {
    return await within(work(given), ms, late)
  } finally {
    call.cancellation.removeEventListener('abort', leave)
  }
}

const putOutward = (owed: Owed, outward: Outward): void => {
  for (const [id, rewrite] of owed) {
    owed.set(id, async (response) => {
      const made = (await rewrite?.(response)) ?? response.fields
      return 'result' in made && isRecord(made.result) ? { ...made, result: outward.result(made.result) } : made
    })
  }
}

/** What the record and the span say of the call (OpenTelemetry's conventions for MCP, semantic-conventions 1.39). */
const describe = (call: Call, target: McpTarget, messages: readonly Message[]): void => {
  const [first] = messages
  if (first === undefined || first.kind === 'answer') return
  const named = namedBy(first)
  call.set(report, { provider: target.slug, model: named?.name ?? '', droppedParams: [], stream: false })
  call.find(serverSpan)?.set({
    'mcp.method.name': first.method,
    'mcp.server.slug': target.slug,
    ...(named?.type === 'tool' ? { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': named.name } : {}),
    ...(named?.type === 'prompt' ? { 'gen_ai.prompt.name': named.name } : {}),
    ...(named?.type === 'resource' ? { 'mcp.resource.uri': named.name } : {}),
    ...(first.kind === 'request' ? { 'jsonrpc.request.id': String(first.id) } : {}),
  })
}
