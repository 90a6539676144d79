import { isRecord, UpstreamInvalid } from '#kit'
import {
  type Adapter,
  type EmbeddingInput,
  type EmbeddingsRequest,
  embeddingInputs,
  embeddingsReply,
} from '#kit/provider'

/** What inputs are for, which models since version 3 must be told: OpenAI has no word for it. */
const DEFAULT_INPUT_TYPE = 'search_document'

export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: '/v2/embed',
  wire: 'own',
  params: {
    model: true,
    input: (_input, request, { model }) => inputsOf(embeddingInputs(request), model),
    dimensions: 'output_dimension',
    // Asked for as numbers, and encoded here: how wide Cohere's floats are in base64 is not said.
    encoding_format: () => ({}),
    embedding_types: () => ({}),
    input_type: true,
    truncate: true,
    max_tokens: true,
    priority: true,
  },
  always: (request) => ({
    embedding_types: [typeOf(request)],
    ...(request.input_type === undefined || request.input_type === null ? { input_type: typeOfInput(request) } : {}),
  }),
  reply: (body, context, request) => {
    if (!isRecord(body) || !isRecord(body.embeddings)) {
      throw new UpstreamInvalid('The answer is no list of vectors.', { provider: 'cohere' })
    }
    const { embeddings: made, meta } = body
    const { input_tokens: text, image_tokens: images } =
      isRecord(meta) && isRecord(meta.billed_units) ? meta.billed_units : {}
    const tokens = typeof text === 'number' || typeof images === 'number' ? sum(text, images) : undefined
    return embeddingsReply(made[typeOf(request)], request, context, { tokens })
  },
}

/** Texts by themselves; images of the older models in a list of their own; else parts that belong together. */
const inputsOf = (inputs: readonly EmbeddingInput[], model: string): Readonly<Record<string, unknown>> => {
  const texts = inputs.flatMap(([part, ...more]) =>
    part !== undefined && 'text' in part && more.length === 0 ? [part.text] : [],
  )
  if (texts.length === inputs.length) return { texts }
  const images = inputs.flatMap(([part, ...more]) =>
    part !== undefined && 'image' in part && more.length === 0 ? [part.image] : [],
  )
  if (images.length === inputs.length && isOlder(model)) return { images }
  return {
    inputs: inputs.map((parts) => ({
      content: parts.map((part) =>
        'text' in part ? { type: 'text', text: part.text } : { type: 'image_url', image_url: { url: part.image } },
      ),
    })),
  }
}

/** `embed-english-v3.0` and its like take no `inputs`. */
const isOlder = (model: string): boolean => /-v[23]\./.test(model)

const typeOfInput = (request: EmbeddingsRequest): string => {
  const isImages = embeddingInputs(request).every((parts) => parts.every((part) => 'image' in part))
  return isImages && isOlder(request.model) ? 'image' : DEFAULT_INPUT_TYPE
}

/** There is room for vectors of one type: the first that was asked for. */
const typeOf = ({ embedding_types: types }: EmbeddingsRequest): string => {
  const first: unknown = Array.isArray(types) ? types[0] : undefined
  return typeof first === 'string' ? first : 'float'
}

const sum = (...counts: readonly unknown[]): number =>
  counts.reduce<number>((total, count) => total + (typeof count === 'number' ? count : 0), 0)
