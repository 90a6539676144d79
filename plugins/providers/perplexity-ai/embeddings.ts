import { isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, embeddingsReply, embeddingTexts } from '#kit/provider'

/**
 * Perplexity gives vectors as bytes alone: signed ones in base64 (`base64_int8`), or bits. They become numbers here, and those
 * what the client asked for. Source: types of @perplexity-ai/perplexity_ai 0.38.5 (EmbeddingsRequestInput), read 2026-11-22.
 */
export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: '/v1/embeddings',
  wire: 'own',
  params: {
    model: true,
    input: (_input, request) => ({ input: embeddingTexts(request) }),
    dimensions: true,
    encoding_format: () => ({}),
  },
  always: () => ({ encoding_format: 'base64_int8' }),
  reply: (body, context, request) => {
    const { data, model, usage } = isRecord(body) ? body : {}
    const vectors = Array.isArray(data) ? data.map((item: unknown) => vectorOf(item)) : data
    const tokens = isRecord(usage) ? usage.total_tokens : undefined
    return embeddingsReply(vectors, request, context, { model, tokens })
  },
}

/** @throws UpstreamInvalid for what is no base64 */
const vectorOf = (item: unknown): readonly number[] => {
  const text = isRecord(item) ? item.embedding : undefined
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new UpstreamInvalid('The answer is no list of vectors.', { provider: 'perplexity-ai' })
  }
  return [...new Int8Array(Buffer.from(text, 'base64'))]
}
