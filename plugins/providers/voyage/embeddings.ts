import { isRecord } from '#kit'
import { type Adapter, type EmbeddingPart, embeddingInputs, embeddingsReply, embeddingTexts } from '#kit/provider'

/** `voyage-multimodal-3`, `voyage-multimodal-3.5`: they have a path of their own, and take images too. */
const isMultimodal = (model: string): boolean => model.includes('multimodal')

export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: ({ model }) => (isMultimodal(model) ? '/multimodalembeddings' : '/embeddings'),
  wire: 'own',
  params: {
    model: true,
    input: (_input, request, { model }) =>
      isMultimodal(model)
        ? { inputs: embeddingInputs(request).map((parts) => ({ content: parts.map(toPiece) })) }
        : { input: embeddingTexts(request) },
    dimensions: 'output_dimension',
    // Its base64 is that of 32-bit floats (`decode_base64_embedding` of its client); it has no word for the plain form.
    encoding_format: (format) => (format === 'base64' ? { encoding_format: format } : {}),
    input_type: true,
    truncation: true,
    output_dimension: true,
    output_dtype: true,
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

const toPiece = (part: EmbeddingPart): object => {
  if ('text' in part) return { type: 'text', text: part.text }
  return part.image.startsWith('data:')
    ? { type: 'image_base64', image_base64: part.image }
    : { type: 'image_url', image_url: part.image }
}
