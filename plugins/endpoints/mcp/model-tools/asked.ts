import { InvalidRequest, isRecord } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** An MCP server of the workspace whose tools a call gives to its model: the tool `mcp` of OpenAI's Responses (SDK `openai` 6, `responses.d.ts`, `Tool.Mcp`). */
export interface AskedServer {
  /** Slug or id of the server; what the client knows it by. */
  readonly label: string
  /** Undefined: all that the caller may use. */
  readonly allowed: ReadonlySet<string> | undefined
  /** Whether a tool is run only once the client has said so. */
  needsApproval(tool: string): boolean
}

/** What `tools` of a call says, told apart. */
export interface AskedTools {
  readonly servers: readonly AskedServer[]
  /** Those that are none of ours, as they came. */
  readonly others: readonly unknown[]
}

/** A tool `mcp` that names no address of its own is one of the workspace. */
const isOurs = (tool: unknown): tool is Fields =>
  isRecord(tool) && tool.type === 'mcp' && tool.server_url === undefined && tool.connector_id === undefined

/** Cheap: asked of every call. */
export const asksForServers = (tools: unknown): tools is readonly unknown[] =>
  Array.isArray(tools) && tools.some(isOurs)

/**
 * @param approvesUnlessSaid whether a tool needs approval where the call does not say
 * @throws InvalidRequest naming the field
 */
export const readAskedTools = (tools: readonly unknown[], approvesUnlessSaid: boolean): AskedTools => {
  const servers: AskedServer[] = []
  const others: unknown[] = []
  for (const [index, tool] of tools.entries()) {
    if (!isOurs(tool)) {
      others.push(tool)
      continue
    }
    const server = readServer(tool, `tools[${index}]`, approvesUnlessSaid)
    if (servers.some(({ label }) => label === server.label))
      throw wrong(`tools[${index}].server_label`, 'is there twice')
    servers.push(server)
  }
  return { servers, others }
}

const readServer = (tool: Fields, at: string, approvesUnlessSaid: boolean): AskedServer => {
  const { server_label: label, allowed_tools: allowed, require_approval: approval, headers, authorization } = tool
  if (typeof label !== 'string' || label === '')
    throw wrong(`${at}.server_label`, 'must name an MCP server of the workspace')
  for (const [name, value] of Object.entries({ headers, authorization })) {
    if (value !== undefined && value !== null)
      throw wrong(`${at}.${name}`, 'cannot be said: the credentials of the server are kept here')
  }
  return {
    label,
    allowed: readAllowed(allowed, `${at}.allowed_tools`),
    needsApproval: readApproval(approval, `${at}.require_approval`, approvesUnlessSaid),
  }
}

const readAllowed = (value: unknown, at: string): ReadonlySet<string> | undefined => {
  if (value === undefined || value === null) return undefined
  return readNames(isRecord(value) && !Array.isArray(value) ? value.tool_names : value, at)
}

const readApproval = (value: unknown, at: string, unlessSaid: boolean): AskedServer['needsApproval'] => {
  if (value === undefined || value === null) return () => unlessSaid
  if (value === 'always') return () => true
  if (value === 'never') return () => false
  if (!isRecord(value)) throw wrong(at, 'must be `always`, `never`, or an object of them')
  const namesOf = (field: string): ReadonlySet<string> => {
    const part = value[field]
    return part === undefined || part === null
      ? new Set()
      : readNames(isRecord(part) ? part.tool_names : part, `${at}.${field}`)
  }
  const [always, never] = [namesOf('always'), namesOf('never')]
  return (tool) => always.has(tool) || (!never.has(tool) && unlessSaid)
}

const readNames = (value: unknown, at: string): ReadonlySet<string> => {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return new Set(value)
  throw wrong(at, 'must be a list of names of tools')
}

const wrong = (param: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` ${problem}.`, { param })
