import { checkContext } from '#calls/guardrails/check-context'
import { type CompiledGuardrail, compileGuardrail } from '#calls/guardrails/compile'
import { BodyContent } from '#calls/guardrails/content'
import { Reporter } from '#calls/guardrails/reporter'
import { runGuardrails } from '#calls/guardrails/run-guardrails'
import { type GuardrailReports, guardrailReports } from '#calls/slots'
import type { StoredGuardrail, TextPlace } from '#core/guardrails'
import type { McpTarget } from '#core/mcp/servers'
import { type Call, type CheckStage, GuardrailDenied, type Host, isRecord } from '#kit'
import { principal } from '#kit/slots'

type Fields = Readonly<Record<string, unknown>>

/** A tool that is called. */
export interface CalledTool {
  readonly target: McpTarget
  /** Absent where nobody knows which: it may be any. */
  readonly name: string | undefined
  readonly metadata: Readonly<Record<string, string>>
}

/** Refused by a guardrail: what the interface tells of it. */
export class ToolDenied extends GuardrailDenied {
  readonly guardrailId: string
  readonly reason: string

  constructor(guardrailId: string, reason: string) {
    super(`A guardrail refused the call of the tool: ${reason}`)
    this.guardrailId = guardrailId
    this.reason = reason
  }
}

type ToolsHost = Pick<Host, 'checkPowers' | 'checks' | 'clock' | 'guardrails' | 'randomId' | 'records'>

/** Looks at what goes to tools and what comes back, with the guardrails that their server is mapped to. */
export class ToolGuardrails {
  readonly #host: ToolsHost
  readonly #reporter: Reporter
  readonly #compiled = new WeakMap<StoredGuardrail, CompiledGuardrail>()

  constructor(host: ToolsHost) {
    this.#host = host
    this.#reporter = new Reporter(host)
  }

  /** Those that look at a stage of this tool: the organisation's, then the workspace's. */
  of(call: Call, { target, name }: CalledTool, stage: CheckStage): readonly (readonly CompiledGuardrail[])[] {
    if (target.guardrails.length === 0) return NONE
    const { workspaceId = '' } = call.get(principal)
    const capabilityId = name === undefined ? undefined : target.capability('tool', name)?.id
    const stored = target.guardrails.flatMap(({ guardrailId, runOn, capabilityIds }) => {
      const isMeant =
        name === undefined ||
        capabilityIds.size === 0 ||
        (capabilityId !== undefined && capabilityIds.has(capabilityId))
      const found = isMeant && runOn.includes(stage) ? this.#host.guardrails.find(workspaceId, guardrailId) : undefined
      return found?.target === 'mcp_tools' ? [found] : []
    })
    const scopes = ['organisation', 'workspace'] as const
    return scopes.map((scope) => stored.filter((each) => each.scope === scope).map((each) => this.#ready(each)))
  }

  /**
   * @param body the arguments of a call, or its result
   * @returns what is to go on in its place: the same where nothing was changed
   * @throws ToolDenied
   */
  async check(
    call: Call,
    tool: CalledTool,
    stage: CheckStage,
    groups: readonly (readonly CompiledGuardrail[])[],
    body: Fields,
  ): Promise<Fields> {
    const reports = this.#reports(call)
    const content = new BodyContent(body, stage === 'input' ? argumentPlaces : resultPlaces)
    const context = checkContext(call, this.#host, {
      ...{ stage, hasTexts: true, metadata: tool.metadata, requestType: 'mcp', isStreamed: false },
      asked: { params: body, texts: content.texts },
      provider: tool.target.slug,
      model: tool.name,
      status: stage === 'input' ? undefined : 200,
    })
    const outcome = await runGuardrails(groups, content, context)
    this.#reporter.add(call, reports, stage === 'input' ? 'before' : 'after', outcome.reports, outcome.later)
    const { deniedBy } = outcome
    if (deniedBy === undefined) return outcome.content.json
    const failed = outcome.reports
      .find(({ id, verdict }) => id === deniedBy.id && !verdict)
      ?.checks.filter(({ verdict }) => !verdict)
      .map(({ id }) => id)
    throw new ToolDenied(deniedBy.id, `${failed?.join(', ') ?? 'a check'} failed`)
  }

  #ready(stored: StoredGuardrail): CompiledGuardrail {
    const known = this.#compiled.get(stored)
    if (known !== undefined) return known
    const compiled = compileGuardrail(stored.definition, stored, this.#host.checks)
    this.#compiled.set(stored, compiled)
    return compiled
  }

  #reports(call: Call): GuardrailReports {
    const known = call.find(guardrailReports)
    if (known !== undefined) return known
    const made: GuardrailReports = { before: [], after: [] }
    call.set(guardrailReports, made)
    return made
  }
}

const NONE: readonly (readonly CompiledGuardrail[])[] = []

/** How deep texts are looked for in what is the tool's own. */
const MAX_DEPTH = 32

const textsIn = (
  value: unknown,
  path: readonly (string | number)[],
  kind: TextPlace['kind'],
  found: TextPlace[],
): TextPlace[] => {
  if (typeof value === 'string') found.push({ role: 'tool', kind, path, text: value })
  else if (path.length < MAX_DEPTH && typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) {
    for (const [key, inner] of Object.entries(value)) {
      textsIn(inner, [...path, Array.isArray(value) ? Number(key) : key], kind, found)
    }
  }
  return found
}

/** All texts that a tool is called with. */
const argumentPlaces = ({ arguments: given }: Fields): readonly TextPlace[] =>
  textsIn(given, ['arguments'], 'tool-arguments', [])

/** What a tool says: its texts, those of resources that it brings along, and its structured result. Pictures and sound are left out. */
const resultPlaces = ({ content, structuredContent }: Fields): readonly TextPlace[] => {
  const found: TextPlace[] = []
  for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
    if (!isRecord(part)) continue
    const path = ['content', index]
    if (part.type === 'text') textsIn(part.text, [...path, 'text'], 'tool-result', found)
    if (part.type === 'resource' && isRecord(part.resource)) {
      textsIn(part.resource.text, [...path, 'resource', 'text'], 'tool-result', found)
    }
  }
  return textsIn(structuredContent, ['structuredContent'], 'tool-result', found)
}
