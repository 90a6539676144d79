import { fromGenerator } from '#core/bodies/ready-stream'
import { type Answer, type Call, encodeEvent, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import { type AskedTools, readAskedTools } from '../asked.ts'
import type { ToolLoop } from '../loop.ts'
import type { Offers } from '../offers.ts'
import { runTools } from '../run-tools.ts'
import { addUsage, answerHeaders, askModel, type Fields, handOn, refusalIn, type Turn } from '../turns.ts'
import { approvedIn, callsIn, resultMessages, runnable, toBody } from './conversation.ts'
import { Gathered } from './gathered.ts'

const ROUTE = '/v1/chat/completions'

/** A chat whose model uses tools of MCP servers, which run here. */
export const answerChat = async (loop: ToolLoop, call: Call): Promise<Answer> => {
  const { params } = call
  if (typeof params.n === 'number' && params.n > 1) {
    throw new InvalidRequest('`n` must be 1 where tools of MCP servers run.', { param: 'n' })
  }
  const asked = readAskedTools(params.tools as readonly unknown[], false)
  const offers = await loop.offers.of(call, asked.servers)
  const messages = [...(params.messages as readonly unknown[])]
  const approved = approvedIn(messages, offers)
  if (approved.length > 0) messages.push(...resultMessages(await runTools(loop.host, call, approved)))
  const chat = { loop, call, params, asked, offers, messages }
  const first = await ask(chat, 1)
  if (first.kind === 'refused') return handOn(first.response)
  if (first.kind === 'whole') return wholeAnswer(chat, first)
  return {
    status: 200,
    headers: answerHeaders(first.response),
    body: fromGenerator(chunksOf(chat, first)),
    verbatim: true,
  }
}

interface Chat {
  readonly loop: ToolLoop
  readonly call: Call
  readonly params: Fields
  readonly asked: AskedTools
  readonly offers: Offers
  /** Grows by what was asked and answered. */
  readonly messages: unknown[]
}

/** The last turn has to do without tools. */
const ask = ({ loop, call, params, asked, offers, messages }: Chat, turn: number): Promise<Turn> => {
  const body = toBody(params, messages, offers, asked.others)
  const isLast = turn >= loop.maxTurns && body.tools !== undefined
  const streamed = params.stream === true ? { stream_options: { ...optionsOf(params), include_usage: true } } : {}
  return askModel(loop.host, call, ROUTE, { ...body, ...streamed, ...(isLast ? { tool_choice: 'none' } : {}) })
}

const optionsOf = ({ stream_options: options }: Fields): Fields => (isRecord(options) ? options : {})

const wholeAnswer = async (chat: Chat, first: Turn & { readonly kind: 'whole' }): Promise<Answer> => {
  let usage: unknown
  let turn: Turn = first
  for (let number = 1; ; number++) {
    if (turn.kind === 'refused') return handOn(turn.response)
    if (turn.kind === 'events') throw new UpstreamInvalid('The model answered with events that nobody asked for.')
    usage = addUsage(usage, turn.fields.usage)
    const message = messageIn(turn.fields)
    const calls = number < chat.loop.maxTurns ? runnable(callsIn(message), chat.offers) : undefined
    if (calls === undefined) {
      const body = Buffer.from(JSON.stringify({ ...turn.fields, ...(usage === undefined ? {} : { usage }) }))
      return { status: 200, headers: answerHeaders(turn.response), body }
    }
    chat.messages.push(message, ...resultMessages(await runTools(chat.loop.host, chat.call, calls)))
    turn = await ask(chat, number + 1)
  }
}

const messageIn = ({ choices }: Fields): unknown => {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  return isRecord(choice) ? choice.message : undefined
}

/** All turns as one stream: with the id of the first, one end, and the usage of all. */
async function* chunksOf(chat: Chat, first: Turn & { readonly kind: 'events' }): AsyncGenerator<Uint8Array> {
  const wantsUsage = optionsOf(chat.params).include_usage === true
  let usage: unknown
  let head: Fields | undefined
  let turn: Turn = first
  for (let number = 1; ; number++) {
    if (turn.kind !== 'events') {
      yield encodeEvent(JSON.stringify({ error: await refusalIn(turn) }))
      return
    }
    const gathered = new Gathered()
    let failed = false
    for await (const { fields } of turn.events) {
      if (fields.error !== undefined) {
        yield encodeEvent(JSON.stringify(fields))
        failed = true
        continue
      }
      head ??= headOf(fields)
      usage = addUsage(usage, fields.usage)
      const shown = gathered.take(fields)
      if (shown !== undefined) yield encodeEvent(JSON.stringify({ ...shown, ...head }))
    }
    if (failed) return
    const message = gathered.message()
    const calls = number < chat.loop.maxTurns ? runnable(callsIn(message), chat.offers) : undefined
    if (calls === undefined) {
      for (const chunk of gathered.rest()) yield encodeEvent(JSON.stringify({ ...chunk, ...head }))
      if (wantsUsage && usage !== undefined) {
        yield encodeEvent(JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage }))
      }
      yield encodeEvent('[DONE]')
      return
    }
    chat.messages.push(message, ...resultMessages(await runTools(chat.loop.host, chat.call, calls)))
    turn = await ask(chat, number + 1)
  }
}

const headOf = ({ id, created, model }: Fields): Fields => ({ id, created, model })
