import { isRecord } from '#kit'
import type { ResponsesEvent, ResponsesItem, ResponsesReply } from '#kit/provider'
import { inPieces } from '../in-pieces.ts'
import { EventList } from './events.ts'

type Fields = Readonly<Record<string, unknown>>

/** The stream that a whole response could have been: the same items with the same ids, each told from its beginning. */
export function* toEvents(response: ResponsesReply): Generator<ResponsesEvent> {
  const events = new EventList()
  const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null }
  events.add('response.created', { response: begun })
  events.add('response.in_progress', { response: begun })
  for (const [index, item] of response.output.entries()) {
    events.add('response.output_item.added', { output_index: index, item: emptied(item) })
    tellContent(item, (type, fields) =>
      events.add(`response.${type}`, { item_id: item.id, output_index: index, ...fields }),
    )
    events.add('response.output_item.done', { output_index: index, item })
    yield* events.take()
  }
  events.add(`response.${response.status === 'incomplete' ? 'incomplete' : 'completed'}`, { response })
  yield* events.take()
}

type Tell = (type: string, fields: Fields) => void

/** What its pieces will bring is not there yet. Items of other kinds come as a whole. */
const emptied = (item: ResponsesItem): ResponsesItem => {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' }
    default:
      return item
  }
}

const tellContent = (item: ResponsesItem, tell: Tell): void => {
  switch (item.type) {
    case 'message':
      listOf(item.content).forEach((part, index) => {
        tellPart(part, index, tell)
      })
      break
    case 'reasoning':
      listOf(item.summary).forEach((part, index) => {
        tellSummary(part, index, tell)
      })
      break
    case 'function_call':
      for (const delta of inPieces(textOf(item.arguments))) tell('function_call_arguments.delta', { delta })
      tell('function_call_arguments.done', { arguments: textOf(item.arguments), name: item.name })
      break
    case 'custom_tool_call':
      for (const delta of inPieces(textOf(item.input))) tell('custom_tool_call_input.delta', { delta })
      tell('custom_tool_call_input.done', { input: textOf(item.input) })
      break
  }
}

const tellPart = (part: Fields, contentIndex: number, tell: Tell): void => {
  const at = { content_index: contentIndex }
  if (part.type === 'refusal') {
    const refusal = textOf(part.refusal)
    tell('content_part.added', { ...at, part: { ...part, refusal: '' } })
    for (const delta of inPieces(refusal)) tell('refusal.delta', { ...at, delta })
    tell('refusal.done', { ...at, refusal })
  } else {
    const text = textOf(part.text)
    const logprobs = listOf(part.logprobs)
    tell('content_part.added', { ...at, part: { ...part, text: '', annotations: [], logprobs: [] } })
    inPieces(text).forEach((delta, index) => {
      tell('output_text.delta', { ...at, delta, logprobs: index === 0 ? logprobs : [] })
    })
    listOf(part.annotations).forEach((annotation, index) => {
      tell('output_text.annotation.added', { ...at, annotation, annotation_index: index })
    })
    tell('output_text.done', { ...at, text, logprobs })
  }
  tell('content_part.done', { ...at, part })
}

const tellSummary = (part: Fields, summaryIndex: number, tell: Tell): void => {
  const at = { summary_index: summaryIndex }
  const text = textOf(part.text)
  tell('reasoning_summary_part.added', { ...at, part: { ...part, text: '' } })
  for (const delta of inPieces(text)) tell('reasoning_summary_text.delta', { ...at, delta })
  tell('reasoning_summary_text.done', { ...at, text })
  tell('reasoning_summary_part.done', { ...at, part })
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
