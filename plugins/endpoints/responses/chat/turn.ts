import { defined, isRecord } from '#kit'
import type { ContentBlock, ContentPart, Message, ToolCall } from '#kit/provider'
import { openCarried } from './carried.ts'
import { answerContent, type Lose, textAt } from './parts.ts'
import { customArguments, functionName } from './tools.ts'

type Fields = Readonly<Record<string, unknown>>

/** Types of items that an answer is made of. */
const SPOKEN: ReadonlySet<unknown> = new Set(['reasoning', 'message', 'function_call', 'custom_tool_call'])

export const isOfAnswer = ({ type, role }: Fields): boolean =>
  type === undefined || type === 'message' ? role === 'assistant' : SPOKEN.has(type)

/** Puts the items of one answer together to the message that they came from. */
export class Turn {
  readonly #provider: string | undefined
  readonly #lose: Lose
  #parts: ContentPart[] = []
  #calls: ToolCall[] = []
  /** Blocks of the provider that is asked, in place; its texts stand between them. */
  #blocks: ContentBlock[] = []
  #hasOwnBlocks = false
  #marks: Readonly<Record<string, Fields>> = {}
  #details: unknown[] = []
  #thoughts: string[] = []

  /** @param provider who is asked: state of another one's reasoning stays out */
  constructor(provider: string | undefined, lose: Lose) {
    this.#provider = provider
    this.#lose = lose
  }

  /** @throws InvalidRequest naming the field that is wrong */
  add(item: Fields, path: string): void {
    switch (item.type) {
      case 'reasoning':
        this.#think(item)
        break
      case 'function_call':
        this.#call(item, path, textAt(item.arguments, `${path}.arguments`))
        break
      case 'custom_tool_call':
        this.#call(item, path, customArguments(textAt(item.input, `${path}.input`)))
        break
      default:
        this.#say(answerContent(item.content, `${path}.content`))
        break
    }
  }

  /** The message, or none where nothing was said; the next one begins empty. */
  take(): readonly Message[] {
    const message = this.#message()
    this.#parts = []
    this.#calls = []
    this.#blocks = []
    this.#hasOwnBlocks = false
    this.#marks = {}
    this.#details = []
    this.#thoughts = []
    return message === undefined ? [] : [message]
  }

  #message(): Message | undefined {
    const hasState = this.#hasOwnBlocks || this.#details.length > 0
    if (this.#parts.length === 0 && this.#calls.length === 0 && !hasState) return undefined
    const calls = this.#calls.map((call) => {
      const mark = Object.hasOwn(this.#marks, call.id) ? this.#marks[call.id] : undefined
      return mark === undefined ? call : { ...call, extra_content: mark }
    })
    return defined({
      role: 'assistant' as const,
      ...this.#content(),
      reasoning_content: this.#thoughts.length === 0 ? undefined : this.#thoughts.join('\n\n'),
      reasoning_details: this.#details.length === 0 ? undefined : this.#details,
      content_blocks: this.#hasOwnBlocks ? this.#blocks : undefined,
      tool_calls: calls.length === 0 ? undefined : calls,
    })
  }

  /** A text alone as such, as every host takes it. */
  #content(): Pick<Message, 'content' | 'refusal'> {
    const [only] = this.#parts
    if (only === undefined) return { content: null }
    if (this.#parts.length > 1) return { content: this.#parts }
    if (only.type === 'refusal' && 'refusal' in only) return { content: null, refusal: String(only.refusal) }
    return { content: 'text' in only ? String(only.text) : [only] }
  }

  #say(parts: readonly ContentPart[]): void {
    for (const part of parts) {
      this.#parts.push(part)
      if (part.type === 'text' && 'text' in part) this.#blocks.push({ type: 'text', text: part.text })
    }
  }

  #call({ call_id: id, name, namespace }: Fields, path: string, text: string): void {
    const called = functionName(textAt(name, `${path}.name`), namespace)
    this.#calls.push({
      id: textAt(id, `${path}.call_id`),
      type: 'function',
      function: { name: called, arguments: text },
    })
  }

  #think({ summary, content, encrypted_content: sealed }: Fields): void {
    const said = textsOf(content)
    this.#thoughts.push(...(said.length > 0 ? said : textsOf(summary)))
    if (typeof sealed !== 'string' || sealed === '') return
    const carried = openCarried(sealed)
    if (carried === undefined || carried.by !== this.#provider) {
      this.#lose('input[].encrypted_content')
      return
    }
    for (const block of carried.blocks ?? []) this.#addBlock(block)
    this.#marks = { ...this.#marks, ...carried.calls }
    for (const detail of carried.details ?? []) this.#details.push(detail)
  }

  /** A text with a mark of its own is the end of what was said before it: it takes its place there. */
  #addBlock(block: ContentBlock): void {
    if (block.type === 'text') {
      const last = this.#blocks.at(-1)
      const { text } = block
      if (last?.type !== 'text' || typeof last.text !== 'string' || typeof text !== 'string') return
      if (!last.text.endsWith(text)) return
      const rest = last.text.slice(0, last.text.length - text.length)
      this.#blocks.splice(-1, 1, ...(rest === '' ? [] : [{ ...last, text: rest }]))
    }
    this.#blocks.push(block)
    this.#hasOwnBlocks = true
  }
}

const textsOf = (parts: unknown): readonly string[] =>
  Array.isArray(parts)
    ? parts.flatMap((part: unknown) =>
        isRecord(part) && typeof part.text === 'string' && part.text !== '' ? part.text : [],
      )
    : []
