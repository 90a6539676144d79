import { isRecord, UpstreamInvalid } from '#kit'
import type { Bridge } from '#kit/provider'
import { writeEvents } from '../events.ts'
import { Output } from './output.ts'
import { toChat } from './to-chat.ts'
import { type ToolNames, toolsOf } from './tools.ts'

type Fields = Readonly<Record<string, unknown>>

/** Responses of a provider that only has chat. @param keeps whether Weir keeps them where the client wants it */
export const responsesByChat = ({ keeps }: { readonly keeps: boolean }): Bridge => ({
  from: 'responses',
  to: 'chat',
  // Signatures of reasoning are among the extras, and the last event tells the usage.
  asks: { strict: false, includeUsage: true },
  request: toChat,
  words: {
    turns: { list: 'input', parts: 'content', became: 'messages' },
    names: {
      max_completion_tokens: 'max_output_tokens',
      logprobs: 'include',
      reasoning_effort: 'reasoning.effort',
      response_format: 'text.format',
      verbosity: 'text.verbosity',
    },
  },
  reply(answer, context, params) {
    const [choice]: readonly unknown[] = Array.isArray(answer.choices) ? answer.choices : []
    if (!isRecord(choice) || !isRecord(choice.message)) {
      throw new UpstreamInvalid('The provider answered with no chat completion.')
    }
    const output = new Output(keeps ? params : { ...params, store: false }, context, namesOf(params))
    output.describe(answer)
    readWhole(choice.message, choice.logprobs, output)
    output.finish(choice.finish_reason)
    return { ...output.end() }
  },
  stream(context, params) {
    const output = new Output(keeps ? params : { ...params, store: false }, context, namesOf(params))
    let hasBegun = false
    return {
      push(chunk) {
        if (!hasBegun) output.begin()
        hasBegun = true
        output.describe(chunk)
        const [choice]: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
        if (isRecord(choice)) {
          if (isRecord(choice.delta)) readDelta(choice.delta, choice.logprobs, output)
          output.finish(choice.finish_reason)
        }
        return writeEvents(output.events.take())
      },
      end() {
        if (!hasBegun) output.begin()
        output.end()
        return writeEvents(output.events.take())
      },
    }
  },
})

const namesOf = ({ tools }: Fields): ToolNames => toolsOf(tools, () => undefined).names

/** Of an answer in blocks, their order; else reasoning comes before what was said. */
const readWhole = (message: Fields, logprobs: unknown, output: Output): void => {
  const { content, content_blocks: listed, reasoning_content: thoughts } = message
  const blocks = Array.isArray(listed) ? listed.filter(isRecord) : []
  let unsaid = logprobsOf(logprobs)
  blocks.forEach((block, index) => {
    output.opaque().addBlock({ ...block, index })
    if (block.type === 'thinking') output.think(textOf(block.thinking))
    if (block.type === 'text') {
      output.say(textOf(block.text), unsaid)
      unsaid = []
    }
    if (block.type === 'image') drawBlock(block, output)
  })
  if (!blocks.some(({ type }) => type === 'thinking')) output.think(textOf(thoughts))
  readRest(message, output)
  if (!blocks.some(({ type }) => type === 'text')) output.say(wordsIn(content), unsaid)
  readSpoken(message, output)
  readCalls(message.tool_calls, output)
}

const readDelta = (delta: Fields, logprobs: unknown, output: Output): void => {
  const { content, content_blocks: blocks, reasoning_content: thoughts } = delta
  for (const piece of Array.isArray(blocks) ? blocks.filter(isRecord) : []) {
    output.opaque().addBlock(piece)
    if (piece.type === 'image') drawBlock(piece, output)
  }
  readRest(delta, output)
  output.think(textOf(thoughts))
  output.say(wordsIn(content), logprobsOf(logprobs))
  readSpoken(delta, output)
  readCalls(delta.tool_calls, output)
}

const readRest = ({ reasoning_details: details }: Fields, output: Output): void => {
  if (Array.isArray(details)) output.opaque().addDetails(details)
}

const readSpoken = ({ refusal, annotations }: Fields, output: Output): void => {
  output.refuse(textOf(refusal))
  if (!Array.isArray(annotations)) return
  for (const annotation of annotations) if (isRecord(annotation)) output.annotate(flatAnnotation(annotation))
}

/** A chat has the fields of a citation one level deeper. */
const flatAnnotation = ({ type, url_citation: cited, ...rest }: Fields): object =>
  type === 'url_citation' && isRecord(cited) ? { type, ...cited, ...rest } : { type, ...rest }

const readCalls = (calls: unknown, output: Output): void => {
  if (!Array.isArray(calls)) return
  calls.forEach((call: unknown, place) => {
    if (!isRecord(call)) return
    const called = isRecord(call.function) ? call.function : {}
    const index = typeof call.index === 'number' ? call.index : place
    output.call(index, { id: call.id, name: called.name, text: called.arguments, mark: call.extra_content })
  })
}

const drawBlock = ({ source }: Fields, output: Output): void => {
  if (isRecord(source) && typeof source.data === 'string') output.draw(source.data)
}

const logprobsOf = (logprobs: unknown): readonly object[] =>
  isRecord(logprobs) && Array.isArray(logprobs.content) ? logprobs.content.filter(isRecord) : []

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Some hosts answer with a list of parts, of which the texts are the answer. */
const wordsIn = (content: unknown): string => {
  if (!Array.isArray(content)) return textOf(content)
  return content.map((part: unknown) => (isRecord(part) ? textOf(part.text) : '')).join('')
}
