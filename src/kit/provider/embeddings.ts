import { isRecord } from '../../core/json/record.ts'
import { tokenCount, type Usage } from '../../core/usage.ts'
import { InvalidRequest, UpstreamInvalid } from '../../errors/gateway-error.ts'
import type { EmbeddingsReply, EmbeddingsRequest } from './openai.ts'
import type { AdapterContext } from './provider.ts'

/** A piece of one input: text, or the URL of an image (`https:` or `data:`). */
export type EmbeddingPart = { readonly text: string } | { readonly image: string }

/** What becomes one vector. */
export type EmbeddingInput = readonly EmbeddingPart[]

/**
 * The inputs of a request, for a provider whose form is its own. Each is a text, a part (`{type: 'text', text}` or
 * `{type: 'image_url', image_url: {url}}`, as in a chat), or several parts that become one vector: `{content: [part, …]}`.
 * @throws InvalidRequest naming the input that is none of them, such as one in tokens, which belong to one tokenizer alone
 */
export const embeddingInputs = ({ input }: Pick<EmbeddingsRequest, 'input'>): readonly EmbeddingInput[] => {
  if (typeof input === 'string') return [[{ text: input }]]
  const items: readonly unknown[] = Array.isArray(input) ? input : [input]
  return items.map((item, index) => {
    const path = `input[${index}]`
    if (typeof item === 'string') return [{ text: item }]
    if (!isRecord(item)) throw notTaken(path)
    const { content } = item
    if (!Array.isArray(content)) return [partOf(item, path)]
    if (content.length === 0) throw notTaken(`${path}.content`)
    return content.map((part: unknown, place) => partOf(part, `${path}.content[${place}]`))
  })
}

/**
 * The inputs of a request as texts.
 * @throws InvalidRequest for one that is, or has, an image
 */
export const embeddingTexts = (request: Pick<EmbeddingsRequest, 'input'>): readonly string[] =>
  embeddingInputs(request).map((parts, index) => {
    const texts = parts.map((part) => ('text' in part ? part.text : undefined))
    if (texts.every((text) => text !== undefined)) return texts.join('\n')
    const param = `input[${index}]`
    throw new InvalidRequest(`\`${param}\` must be text: this model of the provider takes no images.`, { param })
  })

const partOf = (part: unknown, path: string): EmbeddingPart => {
  if (isRecord(part)) {
    const { type, text, image_url: image } = part
    if (type === 'text' && typeof text === 'string') return { text }
    const url = isRecord(image) ? image.url : image
    if (type === 'image_url' && typeof url === 'string') return { image: url }
  }
  throw notTaken(path)
}

const notTaken = (param: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` must be text or an image: the provider takes no tokens and nothing else.`, { param })

/**
 * The reply to a request for embeddings, of the vectors in the order of the inputs. Where the client asked for
 * `encoding_format: base64` and a vector comes as numbers, it is encoded here: 32-bit floats, little-endian, as OpenAI does.
 * @param tokens of the input, as the provider counts them
 * @throws UpstreamInvalid for what is no list of vectors
 */
export const embeddingsReply = (
  vectors: unknown,
  { encoding_format: format }: Pick<EmbeddingsRequest, 'encoding_format'>,
  context: AdapterContext,
  { tokens, model }: { readonly tokens?: unknown; readonly model?: unknown } = {},
): { readonly reply: EmbeddingsReply; readonly usage?: Usage } => {
  if (!Array.isArray(vectors) || vectors.length === 0) throw new UpstreamInvalid('The answer is no list of vectors.')
  const total = tokenCount(tokens)
  return {
    reply: {
      object: 'list',
      data: vectors.map((vector: unknown, index) => ({
        object: 'embedding',
        index,
        embedding: format === 'base64' && isVector(vector) ? base64Vector(vector) : checked(vector),
      })),
      model: typeof model === 'string' ? model : context.model,
      usage: { prompt_tokens: total ?? 0, total_tokens: total ?? 0 },
    },
    ...(total === undefined ? {} : { usage: { inputTokens: total, outputTokens: 0, totalTokens: total } }),
  }
}

/** A vector as OpenAI encodes it: 32-bit floats, little-endian, in base64. */
export const base64Vector = (vector: readonly number[]): string => {
  const bytes = new DataView(new ArrayBuffer(vector.length * Float32Array.BYTES_PER_ELEMENT))
  vector.forEach((value, index) => {
    bytes.setFloat32(index * Float32Array.BYTES_PER_ELEMENT, value, true)
  })
  return Buffer.from(bytes.buffer).toString('base64')
}

const checked = (vector: unknown): readonly number[] | string => {
  if (typeof vector === 'string' || isVector(vector)) return vector
  throw new UpstreamInvalid('The answer is no list of vectors.')
}

const isVector = (vector: unknown): vector is readonly number[] =>
  Array.isArray(vector) && vector.every((value) => typeof value === 'number')
