import { type Collector, isRecord, parseJson } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** A block that grows. */
interface Growing {
  block: Record<string, unknown>
  /** Of a tool call: the text of its input so far. */
  json: string
}

/** Puts the events of a stream together to the message that they are. */
export const createCollector = (): Collector => {
  let message: Record<string, unknown> | undefined
  const blocks: (Growing | undefined)[] = []
  let isComplete = false

  const blockAt = ({ index }: Fields): Growing => {
    const found = typeof index === 'number' ? blocks[index] : undefined
    if (found === undefined) throw new Error('a piece of a content block that never began')
    return found
  }

  const begin = ({ index, content_block: block }: Fields): void => {
    if (index !== blocks.length || !isRecord(block)) throw new Error('a content block out of its order')
    blocks.push({ block: { ...block }, json: '' })
  }

  const goOn = (event: Fields): void => {
    const growing = blockAt(event)
    if (!isRecord(event.delta)) throw new Error('a piece of a content block without content')
    grow(growing, event.delta)
  }

  const end = ({ delta, usage }: Fields): void => {
    if (message === undefined || !isRecord(delta)) throw new Error('a message ends that never began')
    const counts = isRecord(usage) ? Object.entries(usage).filter(([, count]) => count !== null) : []
    const before = isRecord(message.usage) ? message.usage : {}
    Object.assign(message, delta, { usage: { ...before, ...Object.fromEntries(counts) } })
  }

  return {
    add(event) {
      switch (event.type) {
        case 'message_start':
          if (!isRecord(event.message)) throw new Error('a stream without a message')
          message = { ...event.message }
          return
        case 'content_block_start':
          return begin(event)
        case 'content_block_delta':
          return goOn(event)
        case 'content_block_stop':
          return close(blockAt(event))
        case 'message_delta':
          return end(event)
        case 'message_stop':
          isComplete = true
          return
        case 'error':
          throw new Error('a stream that failed')
        default:
        // `ping`, and what may be added ("Versioning").
      }
    },
    whole() {
      if (message === undefined || !isComplete) throw new Error('a stream without its end')
      return { ...message, content: blocks.map((growing) => growing?.block) }
    },
  }
}

/** @throws Error for a piece that this block cannot have */
const grow = (growing: Growing, delta: Fields): void => {
  const { block } = growing
  switch (delta.type) {
    case 'text_delta':
      block.text = `${textOf(block.text)}${textOf(delta.text)}`
      return
    case 'thinking_delta':
      block.thinking = `${textOf(block.thinking)}${textOf(delta.thinking)}`
      return
    case 'signature_delta':
      block.signature = delta.signature
      return
    case 'citations_delta':
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation]
      return
    case 'input_json_delta':
      growing.json += textOf(delta.partial_json)
      return
    default:
      // A message that lacks something is not kept.
      throw new Error('a piece of an unknown kind')
  }
}

const close = ({ block, json }: Growing): void => {
  if (json !== '') block.input = parseJson(json)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
