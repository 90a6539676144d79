import { callerBudgets, callerLimits, limitAccount, toolCharges } from '#calls/slots'
import type { AdmitOptions, CallFacts, RateLimits } from '#core/limits'
import type { McpTarget } from '#core/mcp/servers'
import { type Call, type Finish, ScopeMissing } from '#kit'
import { principal } from '#kit/slots'

/** Text makes about so many tokens: nobody counts those of tools. */
const BYTES_PER_TOKEN = 4

export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)

export interface ToolCall {
  readonly target: McpTarget
  readonly tool: string
  /** Of the message. */
  readonly bytes: number
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * Charges a call of a tool to the limits and budgets of its caller, and to the policies for tools.
 * @throws RateLimited, BudgetExhausted, LimitsUnavailable, …
 */
export const admitTool = (
  call: Call,
  limits: RateLimits,
  { target, tool, bytes, metadata }: ToolCall,
): void | Promise<void> => {
  const { organisationId, workspaceId, keyId, isForeign } = call.get(principal)
  if (workspaceId === undefined) throw new ScopeMissing('Calls of tools need a key of a workspace.')
  const facts: CallFacts = {
    ...{ organisationId, workspaceId, metadata, endpointType: 'mcp' },
    apiKeyId: isForeign === true ? undefined : keyId,
    mcpServer: target.slug,
    mcpTool: tool,
  }
  const account = limits.open(facts)
  const inputTokens = tokensOf(bytes)
  const options: AdmitOptions = {
    owned: call.get(callerLimits),
    budgets: call.get(callerBudgets),
    target,
    forecast: () => ({ inputTokens, maxOutputTokens: 0 }),
    worstCost: () => 0,
    mostTokens: () => inputTokens,
  }
  // Of a batch, the last one is that of the headers; each is charged and settled by itself.
  call.set(limitAccount, account)
  const before = call.find(toolCharges)
  const used = ({ reachedProvider, bytesOut }: Finish) => {
    // The answers of a batch come together: they count once.
    const outputTokens = call.find(limitAccount) === account ? tokensOf(bytesOut) : 0
    return { reachedProvider, outputTokens, totalTokens: inputTokens + outputTokens }
  }
  call.set(toolCharges, (finish) => {
    const { reachedProvider: wasAsked, totalTokens: tokens } = used(finish)
    const charges = account.charge([{ target, wasAsked, cost: 0, tokens: wasAsked ? tokens : 0 }])
    return [...(before?.(finish) ?? []), ...charges]
  })
  call.onFinish((finish) => account.settle(used(finish)))
  return account.admit(options, { provider: target.slug })
}

/** Tells the caller about the limits that it met. */
export const tellLimits = (call: Call): void => {
  for (const [name, value] of call.find(limitAccount)?.headers() ?? []) call.replyHeaders.set(name, value)
}
