import { type Scene, USAGE, wholeText } from '../scenes.ts'
import { type Fields, listOf, type ProviderForm, textsOf } from './provider-form.ts'

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
    const { inferenceConfig: config = {}, toolConfig: tools = {}, additionalModelRequestFields: more = {} } = body
    return {
      system: textsOf(body.system).join('\n'),
      texts: blocks('user', 'text'),
      images: blocks('user', 'image').length,
      tools: listOf(tools.tools).map(({ toolSpec }) => toolSpec.name),
      forced: tools.toolChoice?.any !== undefined || tools.toolChoice?.tool !== undefined,
      calls: blocks('assistant', 'toolUse').map(({ name, input }) => ({ name, args: input })),
      results: results.flatMap(({ content }) => textsOf(content)),
      maxTokens: config.maxTokens,
      temperature: config.temperature,
      stop: config.stopSequences ?? [],
      schema: body.outputConfig?.textFormat,
      thinks: more.reasoningConfig?.type === 'enabled' || more.thinking !== undefined,
      carried: blocks('assistant', 'reasoningContent').some(
        ({ reasoningText }) => reasoningText?.signature !== undefined,
      ),
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
