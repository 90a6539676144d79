import { type Call, isRecord } from '#kit'
import type { AskedTools } from '../asked.ts'
import type { ToolLoop } from '../loop.ts'
import type { Offers } from '../offers.ts'
import { runTools, type ToolCall } from '../run-tools.ts'
import { askModel, type Fields, type Turn } from '../turns.ts'
import { approvalItem, callItem, functionOutput, toOurs } from './items.ts'

const ROUTE = '/v1/responses'

/** What a response has come to so far. */
export interface ResponsesWork {
  readonly loop: ToolLoop
  readonly call: Call
  readonly params: Fields
  readonly asked: AskedTools
  readonly offers: Offers
  /** What the model is told; grows by what it answered, and what came of it. */
  readonly input: unknown[]
  /** What the client is shown. */
  readonly output: unknown[]
  /** Tools that have run. */
  calls: number
  usage: unknown
}

/** The last turn has to do without tools. */
export const ask = (work: ResponsesWork, turn: number): Promise<Turn> => {
  const { loop, call, params, asked, offers, input } = work
  const functions = offers.all.map(({ name, description, parameters }) => ({
    ...{ type: 'function', name, parameters, strict: false },
    ...(description === undefined ? {} : { description }),
  }))
  const tools = [...asked.others, ...functions]
  const isLast = tools.length > 0 && !mayGoOn(work, turn)
  const { max_tool_calls: _, ...rest } = params
  return askModel(loop.host, call, ROUTE, { ...rest, input, tools, ...(isLast ? { tool_choice: 'none' } : {}) })
}

export const mayGoOn = ({ loop, params, calls }: ResponsesWork, turn: number): boolean =>
  turn < loop.maxTurns && (typeof params.max_tool_calls !== 'number' || calls < params.max_tool_calls)

/** Calls of this turn that run now; undefined where the client comes first. */
export const runnable = (
  work: ResponsesWork,
  output: readonly unknown[],
  turn: number,
): readonly ToolCall[] | undefined => {
  const asked = output.filter((item) => isRecord(item) && item.type === 'function_call')
  const ours = asked.flatMap((item) => toOurs(item, work.offers) ?? [])
  const isAll = ours.length > 0 && ours.length === asked.length && ours.every(({ offered }) => !offered.needsApproval)
  return isAll && mayGoOn(work, turn) ? ours : undefined
}

/** Runs what a turn asked for, and tells the model. @returns what the client is shown of it */
export const goOn = async (
  work: ResponsesWork,
  output: readonly unknown[],
  calls: readonly ToolCall[],
): Promise<readonly Fields[]> => {
  const results = await runTools(work.loop.host, work.call, calls)
  work.calls += calls.length
  work.input.push(...output.filter((item) => mayBeTold(work.params, item)))
  work.input.push(...results.map(({ id, text, isError }) => functionOutput(id, text, isError)))
  return results.map((result) => callItem(result, result))
}

/** Thoughts that are stored nowhere and are not sealed into the item cannot be told again. */
const mayBeTold = ({ store }: Fields, item: unknown): boolean =>
  !isRecord(item) || item.type !== 'reasoning' || store !== false || typeof item.encrypted_content === 'string'

/** What the client is shown of the items of a last turn. */
export const shownOf = (work: ResponsesWork, item: unknown): unknown => {
  const ours = toOurs(item, work.offers)
  return ours === undefined ? item : approvalItem(ours)
}

/** The end of the last turn, as that of all. */
export const merged = (work: ResponsesWork, response: Fields): Fields => ({
  ...response,
  tools: work.params.tools,
  output: work.output,
  ...(work.usage === undefined ? {} : { usage: work.usage }),
})

export const outputOf = ({ output }: Fields): readonly unknown[] => (Array.isArray(output) ? output : [])
