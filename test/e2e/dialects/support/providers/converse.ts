import { type Scene, USAGE, wholeText } from '../scenes.ts'
import { at, type Fields, listOf, numberAt, type ProviderForm, stringsAt, textAt, textsOf } from './provider-form.ts'

const STOP = { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use', filter: 'content_filtered' } as const

const usage = {
  inputTokens: USAGE.input - USAGE.cached,
  cacheReadInputTokens: USAGE.cached,
  outputTokens: USAGE.output,
  totalTokens: USAGE.input + USAGE.output,
}

const encoder = new TextEncoder()

/** A message of an event stream of AWS ("Amazon event stream encoding"): lengths, headers, payload, and checksums of both. */
const message = (headers: Readonly<Record<string, string>>, payload: object): Uint8Array => {
  const parts = Object.entries({ ':content-type': 'application/json', ...headers }).map(([name, value]) => {
    const bytes = encoder.encode(value)
    const head = Buffer.alloc(3)
    head.writeUInt8(7, 0)
    head.writeUInt16BE(bytes.length, 1)
    return Buffer.concat([Buffer.from([name.length]), encoder.encode(name), head, bytes])
  })
  const fields = Buffer.concat(parts)
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + fields.length + body.length, 0)
  prelude.writeUInt32BE(fields.length, 4)
  prelude.writeUInt32BE(Bun.hash.crc32(prelude.subarray(0, 8)), 8)
  const whole = Buffer.concat([prelude, fields, body])
  const end = Buffer.alloc(4)
  end.writeUInt32BE(Bun.hash.crc32(whole), 0)
  return Buffer.concat([whole, end])
}

const event = (type: string, payload: object): Uint8Array =>
  message({ ':message-type': 'event', ':event-type': type }, payload)

const blocksOf = (scene: Scene): readonly Fields[] => [
  ...(scene.thinking === undefined ? [] : [{ reasoningContent: { reasoningText: scene.thinking } }]),
  ...(scene.text === undefined ? [] : [{ text: wholeText(scene) }]),
  ...(scene.calls ?? []).map(({ id, name, pieces }) => ({
    toolUse: { toolUseId: id, name, input: JSON.parse(pieces.join('')) },
  })),
]

/** Amazon Bedrock's Converse. */
export const converseForm = (prefix: string): ProviderForm => ({
  path: new RegExp(`^/${prefix}/model/[^/]+/converse(-stream)?$`),
  streamType: 'application/vnd.amazon.eventstream',
  asksForStream: (path) => path.endsWith('-stream'),
  read(body) {
    const messages = listOf(body.messages)
    const blocks = (role: string, type: string) =>
      messages
        .filter((message) => message.role === role)
        .flatMap(({ content }) => listOf(content).flatMap((block) => (block[type] === undefined ? [] : [block[type]])))
    const results = blocks('user', 'toolResult')
    const more = at(body, 'additionalModelRequestFields')
    return {
      system: textsOf(body.system).join('\n'),
      texts: blocks('user', 'text').filter((text) => typeof text === 'string'),
      images: blocks('user', 'image').length,
      tools: listOf(at(body, 'toolConfig.tools')).map((tool) => textAt(tool, 'toolSpec.name')),
      forced: ['any', 'tool'].some((name) => at(body, `toolConfig.toolChoice.${name}`) !== undefined),
      calls: blocks('assistant', 'toolUse').map((use) => ({ name: textAt(use, 'name'), args: at(use, 'input') })),
      results: results.flatMap((result) => textsOf(at(result, 'content'))),
      maxTokens: numberAt(body, 'inferenceConfig.maxTokens'),
      temperature: numberAt(body, 'inferenceConfig.temperature'),
      stop: stringsAt(body, 'inferenceConfig.stopSequences'),
      schema: at(body, 'outputConfig.textFormat'),
      thinks: at(more, 'reasoningConfig.type') === 'enabled' || at(more, 'thinking') !== undefined,
      carried: blocks('assistant', 'reasoningContent').some((block) => textAt(block, 'reasoningText.signature') !== ''),
    }
  },
  whole: (scene) => ({
    output: { message: { role: 'assistant', content: blocksOf(scene) } },
    stopReason: STOP[scene.finish],
    usage,
    metrics: { latencyMs: 1 },
  }),
  pieces(scene) {
    const { thinking, text = [], calls = [], breaks, finish } = scene
    const pieces = [event('messageStart', { role: 'assistant' })]
    let contentBlockIndex = 0
    const block = (start: object | undefined, deltas: readonly object[]): void => {
      if (start !== undefined) pieces.push(event('contentBlockStart', { start, contentBlockIndex }))
      for (const delta of deltas) pieces.push(event('contentBlockDelta', { delta, contentBlockIndex }))
      pieces.push(event('contentBlockStop', { contentBlockIndex }))
      contentBlockIndex++
    }
    if (thinking !== undefined) {
      const { text: said, signature } = thinking
      block(undefined, [{ reasoningContent: { text: said } }, { reasoningContent: { signature } }])
    }
    if (text.length > 0) {
      block(
        undefined,
        text.map((piece) => ({ text: piece })),
      )
    }
    for (const { id, name, pieces: inputs } of calls) {
      block(
        { toolUse: { toolUseId: id, name } },
        inputs.map((input) => ({ toolUse: { input } })),
      )
    }
    if (breaks === 'cut') return pieces.slice(0, -1)
    if (breaks === 'error') {
      const headers = { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' }
      return [...pieces.slice(0, -1), message(headers, { message: 'overloaded' })]
    }
    return [
      ...pieces,
      event('messageStop', { stopReason: STOP[finish] }),
      event('metadata', { usage, metrics: { latencyMs: 1 } }),
    ]
  },
  error: (status) => ({ message: `refused with ${status}` }),
})
