import { InvalidRequest, isRecord } from '#kit'
import { type Adapter, type EmbeddingInput, embeddingInputs, embeddingsReply } from '#kit/provider'

export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: '/embeddings',
  wire: 'own',
  params: {
    model: true,
    input: (_input, request) => ({ input: embeddingInputs(request).map(toInput) }),
    dimensions: true,
    task: true,
    late_chunking: true,
    normalized: true,
    truncate: true,
    embedding_type: true,
    // Vectors are encoded here: how Jina encodes them is not said.
    encoding_format: () => ({}),
  },
  reply: (body, context, request) => {
    const { data, model, usage } = isRecord(body) ? body : {}
    const vectors = Array.isArray(data) ? data.map((item: unknown) => (isRecord(item) ? item.embedding : item)) : data
    return embeddingsReply(vectors, request, context, {
      model,
      tokens: isRecord(usage) ? usage.total_tokens : undefined,
    })
  },
}

/** Texts as they are: models that take no images take no objects either. */
const toInput = ([part, ...others]: EmbeddingInput, index: number): unknown => {
  if (part === undefined || others.length > 0) {
    const param = `input[${index}]`
    throw new InvalidRequest(`\`${param}\` must be one text or one image: the provider joins no parts.`, { param })
  }
  return 'text' in part ? part.text : { image: part.image.replace(/^data:[^,]*;base64,/, '') }
}
