import { isRecord, parseJson } from '#kit'
import type { ResponsesItem } from '#kit/provider'
import type { EventList } from '../events.ts'
import type { ClientTool } from './tools.ts'

/** How an item ended. */
export type ItemStatus = 'completed' | 'incomplete'

/** An item of the answer that still grows. Its id and place are the same in all of its events and in the response. */
export interface OpenItem {
  /** Tells what is owed. Once. @returns the whole item */
  close(status: ItemStatus): ResponsesItem
}

interface Place {
  readonly id: string
  readonly index: number
  readonly events: EventList
}

/** What the model thought, as far as the provider shows it. */
export class ReasoningItem implements OpenItem {
  readonly #at: Place
  #text = ''
  /** State that goes back to its maker. */
  sealed: string | undefined

  constructor(at: Place) {
    this.#at = at
    at.events.add('response.output_item.added', { output_index: at.index, item: this.#item([]) })
  }

  add(delta: string): void {
    if (this.#text === '') this.#tell('reasoning_summary_part.added', { part: summaryPart('') })
    this.#text += delta
    this.#tell('reasoning_summary_text.delta', { delta })
  }

  close(): ResponsesItem {
    if (this.#text !== '') {
      this.#tell('reasoning_summary_text.done', { text: this.#text })
      this.#tell('reasoning_summary_part.done', { part: summaryPart(this.#text) })
    }
    const item = this.#item(this.#text === '' ? [] : [summaryPart(this.#text)])
    this.#at.events.add('response.output_item.done', { output_index: this.#at.index, item })
    return item
  }

  #item(summary: readonly object[]): ResponsesItem {
    const sealed = this.sealed === undefined ? {} : { encrypted_content: this.sealed }
    return { id: this.#at.id, type: 'reasoning', summary, ...sealed }
  }

  #tell(type: string, fields: object): void {
    const { id, index, events } = this.#at
    events.add(`response.${type}`, { item_id: id, output_index: index, summary_index: 0, ...fields })
  }
}

const summaryPart = (text: string) => ({ type: 'summary_text', text })

interface TextPart {
  readonly type: 'output_text' | 'refusal'
  text: string
  readonly annotations: object[]
  readonly logprobs: object[]
}

/** What the model said, or refused to say. */
export class MessageItem implements OpenItem {
  readonly #at: Place
  readonly #parts: object[] = []
  #open: TextPart | undefined

  constructor(at: Place) {
    this.#at = at
    at.events.add('response.output_item.added', { output_index: at.index, item: this.#item('in_progress') })
  }

  say(delta: string, logprobs: readonly object[]): void {
    const part = this.#part('output_text')
    part.text += delta
    part.logprobs.push(...logprobs)
    this.#tell('output_text.delta', { delta, logprobs })
  }

  refuse(delta: string): void {
    this.#part('refusal').text += delta
    this.#tell('refusal.delta', { delta })
  }

  annotate(annotation: object): void {
    const { annotations } = this.#part('output_text')
    this.#tell('output_text.annotation.added', { annotation, annotation_index: annotations.length })
    annotations.push(annotation)
  }

  close(status: ItemStatus): ResponsesItem {
    this.#closePart()
    const item = this.#item(status)
    this.#at.events.add('response.output_item.done', { output_index: this.#at.index, item })
    return item
  }

  #item(status: string): ResponsesItem {
    return { id: this.#at.id, type: 'message', status, role: 'assistant', content: [...this.#parts] }
  }

  #part(type: TextPart['type']): TextPart {
    if (this.#open?.type !== type) {
      this.#closePart()
      this.#open = { type, text: '', annotations: [], logprobs: [] }
      this.#tell('content_part.added', { part: written(this.#open) })
    }
    return this.#open
  }

  #closePart(): void {
    const part = this.#open
    if (part === undefined) return
    if (part.type === 'refusal') this.#tell('refusal.done', { refusal: part.text })
    else this.#tell('output_text.done', { text: part.text, logprobs: [...part.logprobs] })
    this.#tell('content_part.done', { part: written(part) })
    this.#parts.push(written(part))
    this.#open = undefined
  }

  #tell(type: string, fields: object): void {
    const { id, index, events } = this.#at
    events.add(`response.${type}`, {
      item_id: id,
      output_index: index,
      content_index: this.#parts.length,
      ...fields,
    })
  }
}

const written = ({ type, text, annotations, logprobs }: TextPart): object =>
  type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [...annotations], logprobs: [...logprobs] }

/** A call of a tool. One of a custom tool comes as arguments of a function, so its text is told at the end. */
export class CallItem implements OpenItem {
  readonly #at: Place
  readonly #tool: ClientTool
  readonly #callId: string
  #arguments = ''

  constructor(at: Place, tool: ClientTool, callId: string) {
    this.#at = at
    this.#tool = tool
    this.#callId = callId
    at.events.add('response.output_item.added', { output_index: at.index, item: this.#item('in_progress', '') })
  }

  add(delta: string): void {
    this.#arguments += delta
    if (!this.#tool.isCustom && delta !== '') this.#tell('function_call_arguments.delta', { delta })
  }

  close(status: ItemStatus): ResponsesItem {
    const text = this.#tool.isCustom ? inputIn(this.#arguments) : this.#arguments
    if (this.#tool.isCustom) {
      if (text !== '') this.#tell('custom_tool_call_input.delta', { delta: text })
      this.#tell('custom_tool_call_input.done', { input: text })
    } else this.#tell('function_call_arguments.done', { arguments: text, name: this.#tool.name })
    const item = this.#item(status, text)
    this.#at.events.add('response.output_item.done', { output_index: this.#at.index, item })
    return item
  }

  #item(status: string, text: string): ResponsesItem {
    const { name, namespace, isCustom } = this.#tool
    return {
      id: this.#at.id,
      type: isCustom ? 'custom_tool_call' : 'function_call',
      status,
      call_id: this.#callId,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(isCustom ? { input: text } : { arguments: text }),
    }
  }

  #tell(type: string, fields: object): void {
    const { id, index, events } = this.#at
    events.add(`response.${type}`, { item_id: id, output_index: index, ...fields })
  }
}

/** The text of a custom tool. Where the model wrote no such arguments, they are the text. */
const inputIn = (text: string): string => {
  try {
    const value = parseJson(text)
    return isRecord(value) && typeof value.input === 'string' ? value.input : text
  } catch {
    return text
  }
}
