import { createHash } from 'node:crypto'
import type { EmbeddingsReply } from '#kit/provider'
import { MockRefusal } from '../refusal.ts'
import { countWords } from '../text.ts'

const DEFAULT_DIMENSIONS = 256
const MAX_DIMENSIONS = 8192
const MAX_INPUTS = 2048

/**
 * One unit vector for each input, made from a hash of it. Tokens are words, or the numbers of a tokenised input.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeEmbeddings = (model: string, body: Record<string, unknown>): EmbeddingsReply => {
  const inputs = readInputs(body.input)
  const dimensions = body.dimensions ?? DEFAULT_DIMENSIONS
  if (
    typeof dimensions !== 'number' ||
    !Number.isInteger(dimensions) ||
    dimensions < 1 ||
    dimensions > MAX_DIMENSIONS
  ) {
    throw new MockRefusal(400, `\`dimensions\` must be a whole number from 1 to ${MAX_DIMENSIONS}.`, 'dimensions')
  }
  const format = body.encoding_format ?? 'float'
  if (format !== 'float' && format !== 'base64') {
    throw new MockRefusal(400, '`encoding_format` must be float or base64.', 'encoding_format')
  }
  const tokens = inputs.reduce(
    (sum: number, input) => sum + (typeof input === 'string' ? countWords(input) : input.length),
    0,
  )
  return {
    object: 'list',
    data: inputs.map((input, index) => {
      const vector = unitVector(typeof input === 'string' ? input : JSON.stringify(input), dimensions)
      return { object: 'embedding', index, embedding: format === 'base64' ? toBase64(vector) : [...vector] }
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

type Input = string | readonly number[]

const readInputs = (input: unknown): readonly Input[] => {
  const inputs = typeof input === 'string' || isNumbers(input) ? [input] : input
  if (!Array.isArray(inputs) || inputs.length === 0 || inputs.length > MAX_INPUTS) {
    throw new MockRefusal(400, `\`input\` must be text or an array of 1 to ${MAX_INPUTS} inputs.`, 'input')
  }
  return inputs.map((item, index) => {
    if ((typeof item === 'string' && item !== '') || isNumbers(item)) return item
    throw new MockRefusal(400, 'Each input must be text that is not empty, or an array of numbers.', `input[${index}]`)
  })
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')

/** 32-bit floats whose squares add up to 1. Each hash of the text and a counter gives eight of them. */
const unitVector = (text: string, dimensions: number): Float32Array => {
  const seed = createHash('sha256').update(text).digest()
  const vector = new Float64Array(dimensions)
  for (let start = 0; start < dimensions; start += 8) {
    const block = createHash('sha256').update(seed).update(String(start)).digest()
    for (let index = start; index < Math.min(start + 8, dimensions); index++) {
      vector[index] = block.readInt32LE((index - start) * 4) + 0.5
    }
  }
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => value / length)
}

const toBase64 = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
