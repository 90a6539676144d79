import type { McpTarget } from '#core/mcp/servers'
import { type Call, type Host, InvalidRequest, isRecord, ScopeMissing } from '#kit'
import { principal } from '#kit/slots'
import { publicName } from '../many/names.ts'
import { askServer } from './ask-server.ts'
import type { AskedServer } from './asked.ts'

/** A tool of an MCP server as a model knows it. */
export interface OfferedTool {
  readonly target: McpTarget
  /** The server as the client calls it. */
  readonly label: string
  /** As the server calls it. */
  readonly tool: string
  /** As the model calls it. */
  readonly name: string
  readonly description: string | undefined
  /** JSON Schema. */
  readonly parameters: object
  readonly annotations: unknown
  readonly needsApproval: boolean
}

export interface Offers {
  readonly all: readonly OfferedTool[]
  byName(name: string): OfferedTool | undefined
}

interface Listed {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: object
  readonly annotations?: unknown
}

interface Known {
  readonly tools: readonly Listed[]
  readonly untilMs: number
}

/** Milliseconds for which a server is not asked again what it offers. */
const KNOWN_MS = 60_000
/** Callers whose lists are kept for each server. */
const MAX_CALLERS = 200
/** Pages of a list at most. */
const MAX_PAGES = 20

const NO_PARAMETERS = { type: 'object', properties: {} }

/** Finds out what servers offer to a caller: each is asked once a minute, and anew where anything of it has changed. */
export class OfferLists {
  readonly #host: Pick<Host, 'clock' | 'innerCalls' | 'mcp'>
  /** A server that was changed is another object. */
  readonly #known = new WeakMap<McpTarget, Map<string, Known>>()

  constructor(host: Pick<Host, 'clock' | 'innerCalls' | 'mcp'>) {
    this.#host = host
  }

  /** @throws InvalidRequest for a server that there is not; ScopeMissing; what asking a server came to */
  async of(call: Call, servers: readonly AskedServer[]): Promise<Offers> {
    const lists = await Promise.all(servers.map((server) => this.#offersOf(call, server)))
    const all = lists.flat()
    const byName = new Map(all.map((offered) => [offered.name, offered]))
    return { all, byName: (name) => byName.get(name) }
  }

  async #offersOf(call: Call, { label, allowed, needsApproval }: AskedServer): Promise<readonly OfferedTool[]> {
    const target = this.#find(call, label)
    const listed = await this.#list(call, target)
    return listed
      .filter(({ name }) => allowed === undefined || allowed.has(name))
      .map(({ name, description, inputSchema = NO_PARAMETERS, annotations }) => ({
        ...{ target, label, tool: name, name: publicName(target.slug, name), description, annotations },
        ...{ parameters: inputSchema, needsApproval: needsApproval(name) },
      }))
  }

  #find(call: Call, label: string): McpTarget {
    const { workspaceId = '', userId } = call.get(principal)
    const target = this.#host.mcp.find(workspaceId, label)
    if (target === undefined) {
      throw new InvalidRequest(`There is no MCP server '${label}' in the workspace of the key.`, { param: 'tools' })
    }
    if (!target.allows(userId)) throw new ScopeMissing(`The user of the key may not use the MCP server '${label}'.`)
    return target
  }

  async #list(call: Call, target: McpTarget): Promise<readonly Listed[]> {
    const { keyId } = call.get(principal)
    const nowMs = this.#host.clock.monotonicMs()
    const callers = this.#known.get(target) ?? new Map<string, Known>()
    this.#known.set(target, callers)
    const known = callers.get(keyId)
    if (known !== undefined && nowMs < known.untilMs) return known.tools
    const tools: Listed[] = []
    let cursor: unknown
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await askServer(this.#host, call, target, { method: 'tools/list', params })
      if ('error' in answer) throw answer.refusal
      const { tools: listed, nextCursor } = answer.result
      if (Array.isArray(listed)) tools.push(...listed.filter(isListed))
      cursor = nextCursor
      if (typeof cursor !== 'string' || cursor === '') break
    }
    if (callers.size >= MAX_CALLERS) callers.clear()
    callers.set(keyId, { tools, untilMs: nowMs + KNOWN_MS })
    return tools
  }
}

const isListed = (tool: unknown): tool is Listed => isRecord(tool) && typeof tool.name === 'string'
