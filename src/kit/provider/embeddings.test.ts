import { describe, expect, test } from 'bun:test'
import { InvalidRequest, UpstreamInvalid } from '../../errors/gateway-error.ts'
import { base64Vector, embeddingInputs, embeddingsReply, embeddingTexts } from './embeddings.ts'
import type { EmbeddingsRequest } from './openai.ts'
import type { AdapterContext } from './provider.ts'

const context: AdapterContext = {
  model: 'asked',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 0,
  settings: {},
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }

describe('inputs', () => {
  test('are texts, parts, and parts that become one vector', () => {
    expect(embeddingInputs({ input: 'a' })).toEqual([[{ text: 'a' }]])
    const input = ['a', { type: 'text', text: 'b' }, image, { content: [{ type: 'text', text: 'c' }, image] }]
    const found = { image: 'data:image/png;base64,AA==' }
    expect(embeddingInputs({ input })).toEqual([[{ text: 'a' }], [{ text: 'b' }], [found], [{ text: 'c' }, found]])
  })

  test.each([
    [[1, 2], 'input[0]'],
    [['a', [1, 2]], 'input[1]'],
    [[{ type: 'text' }], 'input[0]'],
    [[{ content: [] }], 'input[0].content'],
    [[{ content: [image, 5] }], 'input[0].content[1]'],
    [[null], 'input[0]'],
  ])('of another kind are refused: %p', (input, param) => {
    const asked = { input } as unknown as EmbeddingsRequest
    expect(() => embeddingInputs(asked)).toThrow(InvalidRequest)
    expect(() => embeddingInputs(asked)).toThrow(`\`${param}\``)
  })

  test('are joined to texts, where none is an image', () => {
    const parts = [
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ]
    expect(embeddingTexts({ input: ['a', { content: parts }] })).toEqual(['a', 'b\nc'])
    expect(() => embeddingTexts({ input: ['a', image] })).toThrow('`input[1]` must be text')
  })
})

describe('a reply', () => {
  test('has the vectors in their order, and the usage', () => {
    const { reply, usage } = embeddingsReply(
      [
        [1, 2],
        [3, 4],
      ],
      {},
      context,
      { tokens: 5, model: 'm' },
    )
    expect(reply).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1, 2] },
        { object: 'embedding', index: 1, embedding: [3, 4] },
      ],
      model: 'm',
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })
    expect(usage).toEqual({ inputTokens: 5, outputTokens: 0, totalTokens: 5 })
  })

  test('is encoded where the client asked for base64, and not twice', () => {
    const asked = { encoding_format: 'base64' as const }
    const { reply, usage } = embeddingsReply([[0.5, -2], 'AAA='], asked, context)
    expect(reply.data.map(({ embedding }) => embedding)).toEqual(['AAAAPwAAAMA=', 'AAA='])
    expect([reply.model, usage]).toEqual(['asked', undefined])
  })

  test.each([[[]], [{}], [null], [[['a']]], [[5]]])('that is no list of vectors is an error: %p', (vectors) => {
    expect(() => embeddingsReply(vectors, {}, context)).toThrow(UpstreamInvalid)
  })
})

test('a vector is encoded as clients of OpenAI decode it', () => {
  const bytes = Buffer.from(base64Vector([0.1, -1.5, 3e38]), 'base64')
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  expect([...floats]).toEqual([...Float32Array.from([0.1, -1.5, 3e38])])
})
