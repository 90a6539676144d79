import { isRecord } from '#kit'
import type { ToolCall } from '../run-tools.ts'
import { addUsage, type Fields, NOT_AGAIN, refusalIn, type Turn, type TurnEvent } from '../turns.ts'
import { callItem, toOurs } from './items.ts'
import { Numbered } from './numbered.ts'
import { ask, goOn, merged, outputOf, type ResponsesWork, runnable, shownOf } from './work.ts'

const BEGINNINGS = new Set(['response.created', 'response.in_progress', 'response.queued'])
const ENDINGS = new Set(['response.completed', 'response.failed', 'response.incomplete'])

/** All turns as one stream: begun once, numbered through, ended once. */
export async function* eventsOf(
  work: ResponsesWork,
  first: Turn & { readonly kind: 'events' },
): AsyncGenerator<Uint8Array> {
  const out = new Numbered(work.output)
  const listed = work.output.splice(0)
  let hasListed = false
  /** Clients take no other in one stream. */
  let id: unknown
  let turn: Turn = first
  for (let number = 1; ; number++) {
    if (turn.kind !== 'events') {
      yield out.event(failureOf(await refusalIn(turn)))
      return
    }
    out.beginTurn()
    let ended: TurnEvent | undefined
    for await (const event of turn.events) {
      const type = typeOf(event)
      if (type === 'error') {
        yield out.event(event.fields)
        return
      }
      if (BEGINNINGS.has(type)) {
        if (isRecord(event.fields.response)) id ??= event.fields.response.id
        if (number === 1) yield out.event({ ...event.fields, ...withTools(work, event.fields) })
        continue
      }
      if (!hasListed) for (const item of listed) yield* out.item(item, LISTING)
      hasListed = true
      if (ENDINGS.has(type)) ended = event
      else yield* out.pass(event.fields, (item) => toOurs(item, work.offers) !== undefined)
    }
    const response = isRecord(ended?.fields.response) ? ended.fields.response : undefined
    if (ended === undefined || response === undefined) {
      yield out.event({
        type: 'error',
        code: 'upstream_invalid',
        message: 'The model ended its answer before it was complete.',
      })
      return
    }
    work.usage = addUsage(work.usage, response.usage)
    const output = outputOf(response)
    const calls = typeOf(ended) === 'response.completed' ? runnable(work, output, number) : undefined
    if (calls === undefined) {
      for (const item of output) if (toOurs(item, work.offers) !== undefined) yield* out.item(shownOf(work, item))
      yield out.event({ ...ended.fields, response: { ...merged(work, response), id: id ?? response.id } })
      return
    }
    yield* running(work, out, output, calls)
    turn = await ask(work, number + 1)
  }
}

async function* running(
  work: ResponsesWork,
  out: Numbered,
  output: readonly unknown[],
  calls: readonly ToolCall[],
): AsyncGenerator<Uint8Array> {
  const places = calls.map((call) => ({ call, index: out.take() }))
  for (const { call, index } of places) {
    const item = callItem(call)
    const at = { item_id: item.id, output_index: index }
    yield out.event({ type: 'response.output_item.added', output_index: index, item })
    yield out.event({ type: 'response.mcp_call.in_progress', ...at })
    yield out.event({ type: 'response.mcp_call_arguments.delta', ...at, delta: call.arguments })
    yield out.event({ type: 'response.mcp_call_arguments.done', ...at, arguments: call.arguments })
  }
  const shown = await goOn(work, output, calls)
  for (const [number, item] of shown.entries()) {
    const index = places[number]?.index ?? 0
    const how = item.status === 'failed' ? 'failed' : 'completed'
    yield out.event({ type: `response.mcp_call.${how}`, item_id: item.id, output_index: index })
    yield out.event({ type: 'response.output_item.done', output_index: index, item })
    out.keep(index, item)
  }
}

/** What comes between the beginning and the end of a list of tools. */
const LISTING = ['response.mcp_list_tools.in_progress', 'response.mcp_list_tools.completed']

const typeOf = ({ name, fields }: TurnEvent): string => String(fields.type ?? name)

const withTools = ({ params }: ResponsesWork, { response }: Fields): Fields =>
  isRecord(response) ? { response: { ...response, tools: params.tools } } : {}

const failureOf = ({ code, message }: Fields): Fields => ({
  type: 'error',
  code: code ?? 'upstream_error',
  message: message ?? NOT_AGAIN,
  param: null,
})
