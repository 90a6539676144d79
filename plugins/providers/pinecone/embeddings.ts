import { isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, embeddingsReply, embeddingTexts } from '#kit/provider'

/** Whose inputs are documents and whose are questions differ in their vectors, so the models ask which they are. */
const DEFAULT_INPUT_TYPE = 'passage'

const given = (request: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  isRecord(request.parameters) ? request.parameters : {}

/** What the interface calls by other names stands in `parameters` there: `dimension`, `input_type`, `truncate`. */
export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: '/embed',
  wire: 'own',
  params: {
    model: true,
    input: (_input, request) => ({ inputs: embeddingTexts(request).map((text) => ({ text })) }),
    // These are gathered by `always`.
    dimensions: () => ({}),
    input_type: () => ({}),
    truncate: () => ({}),
    parameters: () => ({}),
    encoding_format: () => ({}),
  },
  always: (request) => {
    const { dimensions, input_type: type, truncate } = request
    return {
      parameters: {
        input_type: type ?? DEFAULT_INPUT_TYPE,
        ...(truncate === undefined || truncate === null ? {} : { truncate }),
        ...(dimensions === undefined || dimensions === null ? {} : { dimension: dimensions }),
        ...given(request),
      },
    }
  },
  reply: (body, context, request) => {
    const { data, model, usage } = isRecord(body) ? body : {}
    if (!Array.isArray(data)) throw new UpstreamInvalid('The answer is no list of vectors.', { provider: 'pinecone' })
    const vectors = data.map((item: unknown) => {
      if (isRecord(item) && Array.isArray(item.values)) return item.values
      throw new UpstreamInvalid('The model makes sparse vectors, for which there is no place.', {
        provider: 'pinecone',
      })
    })
    return embeddingsReply(vectors, request, context, {
      model,
      tokens: isRecord(usage) ? usage.total_tokens : undefined,
    })
  },
}
