import { isRecord } from '#kit'
import { type Adapter, rerankReply } from '#kit/provider'

/** Types of together-ai 0.52.0 (npm), rerank.d.ts, read 2026-11-22. */
export const rerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/rerank',
  wire: 'own',
  params: {
    model: true,
    query: true,
    documents: true,
    top_n: true,
    rank_fields: true,
    // They are given back from the request.
    return_documents: () => ({}),
  },
  reply: (body, context, request) => {
    const { results, model, id, usage } = isRecord(body) ? body : {}
    return rerankReply(
      { results, model, id, tokens: isRecord(usage) ? usage.total_tokens : undefined },
      request,
      context,
    )
  },
}
