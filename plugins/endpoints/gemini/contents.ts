import { isRecord } from '#kit'
import type { ContentPart, Message, ToolCall } from '#kit/provider'
import { type Fields, fieldOf, recordAt, recordsAt, refuse, textAt } from './fields.ts'
import { toContentPart } from './media.ts'
import { fromSignature } from './signatures.ts'

/**
 * The conversation as the messages of a chat. A turn of the model is one message, the results of its calls are one each.
 * @throws InvalidRequest naming the part that no chat can be told
 */
export const toMessages = (request: Fields): readonly Message[] => {
  const messages: Message[] = [...toSystem(fieldOf(request, 'systemInstruction'))]
  const open = new OpenCalls()
  for (const [index, content] of recordsAt(request, 'contents').entries()) {
    const place = `contents[${index}]`
    const role = textAt(content, 'role', `${place}.`) ?? 'user'
    const parts = recordsAt(content, 'parts', `${place}.`)
    if (role === 'model') messages.push(...toAnswer(parts, place, open))
    // `function` is the older role of results.
    else if (role === 'user' || role === 'function') messages.push(...toQuestion(parts, place, open))
    else throw refuse(`${place}.role`, 'must be user or model')
  }
  if (!messages.some((message) => message.role !== 'system')) throw refuse('contents', 'must not be empty')
  return messages
}

/** A content, or just its text or parts, as some clients write it. */
const toSystem = (instruction: unknown): readonly Message[] => {
  if (instruction === undefined) return []
  if (typeof instruction === 'string') return instruction === '' ? [] : [{ role: 'system', content: instruction }]
  if (!isRecord(instruction)) throw refuse('systemInstruction', 'must be an object')
  const texts = recordsAt(instruction, 'parts', 'systemInstruction.').map((part, index) => {
    const text = textAt(part, 'text', `systemInstruction.parts[${index}].`)
    if (text !== undefined) return text
    throw refuse(`systemInstruction.parts[${index}]`, 'must be a text')
  })
  const said = texts.filter((text) => text !== '')
  if (said.length === 0) return []
  const [first = ''] = said
  return [{ role: 'system', content: said.length === 1 ? first : said.map((text) => ({ type: 'text', text })) }]
}

const toQuestion = (parts: readonly Fields[], place: string, open: OpenCalls): readonly Message[] => {
  const results: Message[] = []
  const said: ContentPart[] = []
  for (const [index, part] of parts.entries()) {
    const at = `${place}.parts[${index}]`
    const response = recordAt(part, 'functionResponse', `${at}.`)
    if (response === undefined) said.push(toContentPart(part, at))
    else results.push(toResult(response, `${at}.functionResponse`, open))
  }
  if (said.length === 0) return results
  const [first] = said
  const isText = said.length === 1 && first?.type === 'text' && typeof first.text === 'string'
  return [...results, { role: 'user', content: isText ? String(first.text) : said }]
}

const toResult = (response: Fields, place: string, open: OpenCalls): Message => {
  const name = textAt(response, 'name', `${place}.`) ?? ''
  const id = open.answered(textAt(response, 'id', `${place}.`), name)
  if (id === undefined) throw refuse(place, 'answers no function call of the turn before it')
  const text = JSON.stringify(recordAt(response, 'response', `${place}.`) ?? {})
  const more = recordsAt(response, 'parts', `${place}.`)
  const content =
    more.length === 0
      ? text
      : [{ type: 'text', text }, ...more.map((part, index) => toContentPart(part, `${place}.parts[${index}]`))]
  return { role: 'tool', tool_call_id: id, content }
}

/** Pictures that a model made stand in its blocks; what it thought goes back to those who take it. */
const toAnswer = (parts: readonly Fields[], place: string, open: OpenCalls): readonly Message[] => {
  let text = ''
  let thoughts = ''
  const calls: ToolCall[] = []
  const pictures: Fields[] = []
  for (const [index, part] of parts.entries()) {
    const at = `${place}.parts[${index}]`
    const call = recordAt(part, 'functionCall', `${at}.`)
    const said = textAt(part, 'text', `${at}.`) ?? ''
    const inline = recordAt(part, 'inlineData', `${at}.`)
    if (call !== undefined) calls.push(toCall(call, part, `${at}.functionCall`, open))
    else if (fieldOf(part, 'thought') === true) thoughts += said
    else if (inline !== undefined) pictures.push(toPicture(inline, `${at}.inlineData`))
    else text += said
  }
  if (text === '' && calls.length === 0 && pictures.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(pictures.length === 0
        ? {}
        : { content_blocks: [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures.map(asBlock)] }),
    },
  ]
}

const asBlock = (source: Fields): { readonly type: string; readonly source: Fields } => ({ type: 'image', source })

const toPicture = (blob: Fields, place: string): Fields => ({
  type: 'base64',
  media_type: textAt(blob, 'mimeType', `${place}.`),
  data: textAt(blob, 'data', `${place}.`),
})

const toCall = (call: Fields, part: Fields, place: string, open: OpenCalls): ToolCall => {
  const name = textAt(call, 'name', `${place}.`)
  if (name === undefined || name === '') throw refuse(`${place}.name`, 'is required')
  const args = recordAt(call, 'args', `${place}.`) ?? {}
  const extra = fromSignature(fieldOf(part, 'thoughtSignature'))
  const id = open.opened(textAt(call, 'id', `${place}.`), name)
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

/** Calls need ids in a chat, which Gemini's clients may leave out: results are then told by their name and order. */
class OpenCalls {
  #made = 0
  #open: { readonly id: string; readonly name: string }[] = []

  opened(id: string | undefined, name: string): string {
    const known = id === undefined || id === '' ? `call_${this.#made++}` : id
    this.#open.push({ id: known, name })
    return known
  }

  answered(id: string | undefined, name: string): string | undefined {
    const isMeant = id === undefined || id === '' ? { name } : { id }
    const index = this.#open.findIndex((call) =>
      'id' in isMeant ? call.id === isMeant.id : call.name === isMeant.name,
    )
    const [found] = index === -1 ? [] : this.#open.splice(index, 1)
    return found?.id
  }
}
