import { type Scene, USAGE, wholeText } from '../scenes.ts'
import {
  at,
  event,
  type Fields,
  listOf,
  numberAt,
  type ProviderForm,
  stringsAt,
  textAt,
  textsOf,
} from './provider-form.ts'

const STOP = { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use', filter: 'refusal' } as const

const usage = {
  input_tokens: USAGE.input - USAGE.cached,
  cache_read_input_tokens: USAGE.cached,
  cache_creation_input_tokens: 0,
  output_tokens: USAGE.output,
}

const blocksOf = (scene: Scene): readonly Fields[] => [
  ...(scene.thinking === undefined
    ? []
    : [{ type: 'thinking', thinking: scene.thinking.text, signature: scene.thinking.signature }]),
  ...(scene.text === undefined ? [] : [{ type: 'text', text: wholeText(scene) }]),
  ...(scene.calls ?? []).map(({ id, name, pieces }) => ({
    type: 'tool_use',
    id,
    name,
    input: JSON.parse(pieces.join('')),
  })),
]

/** Anthropic's Messages API. */
export const messagesForm = (prefix: string): ProviderForm => ({
  path: new RegExp(`^/${prefix}/messages(\\?.*)?$`),
  asksForStream: (_path, body) => body.stream === true,
  read(body) {
    const messages = listOf(body.messages)
    const blocks = (role: string, type: string) =>
      messages
        .filter((message) => message.role === role)
        .flatMap(({ content }) => listOf(content).filter((block) => block.type === type))
    const results = blocks('user', 'tool_result')
    const choice = textAt(body, 'tool_choice.type')
    return {
      system: textsOf(body.system).join('\n'),
      texts: messages.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)),
      images: [
        ...blocks('user', 'image'),
        ...results.flatMap(({ content }) => listOf(content).filter(({ type }) => type === 'image')),
      ].length,
      tools: listOf(body.tools).map((tool) => textAt(tool, 'name')),
      forced: choice === 'any' || choice === 'tool',
      calls: blocks('assistant', 'tool_use').map((block) => ({ name: textAt(block, 'name'), args: block.input })),
      results: results.flatMap(({ content }) => textsOf(content)),
      maxTokens: numberAt(body, 'max_tokens'),
      temperature: numberAt(body, 'temperature'),
      stop: stringsAt(body, 'stop_sequences'),
      schema: at(body, 'output_config.format.schema') ?? at(body, 'output_format.schema'),
      thinks: ['enabled', 'adaptive'].includes(textAt(body, 'thinking.type')),
      carried: blocks('assistant', 'thinking').some((block) => textAt(block, 'signature') !== ''),
    }
  },
  whole: (scene) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: blocksOf(scene),
    stop_reason: STOP[scene.finish],
    stop_sequence: null,
    usage,
  }),
  pieces(scene) {
    const { thinking, text, calls = [], breaks, finish } = scene
    const named = (data: Fields): string => event(data, textAt(data, 'type'))
    const start = named({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'model-1',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    })
    const blocks: string[][] = []
    const block = (content_block: Fields, ...deltas: readonly Fields[]): void => {
      const index = blocks.length
      blocks.push([
        named({ type: 'content_block_start', index, content_block }),
        ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
        named({ type: 'content_block_stop', index }),
      ])
    }
    if (thinking !== undefined) {
      block(
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: thinking.text },
        { type: 'signature_delta', signature: thinking.signature },
      )
    }
    if (text !== undefined)
      block({ type: 'text', text: '' }, ...text.map((piece) => ({ type: 'text_delta', text: piece })))
    for (const { id, name, pieces } of calls) {
      block(
        { type: 'tool_use', id, name, input: {} },
        ...pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      )
    }
    const begun = [start, named({ type: 'ping' }), ...blocks.flat()]
    if (breaks === 'cut') return begun.slice(0, -1)
    if (breaks === 'error')
      return [
        ...begun.slice(0, -1),
        named({ type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } }),
      ]
    return [
      ...begun,
      named({ type: 'message_delta', delta: { stop_reason: STOP[finish], stop_sequence: null }, usage }),
      named({ type: 'message_stop' }),
    ]
  },
  error: (status) => ({
    type: 'error',
    error: { type: 'some_error', message: `refused with ${status}` },
    request_id: 'req_1',
  }),
})
