import { isRecord } from '../../core/json/record.ts'
import type { Adapter } from './provider.ts'
import { rerankReply, rerankTexts } from './rerank.ts'

/**
 * Rerank at a host that takes texts alone and answers `{results: [{index, relevance_score}]}`, as Jina does and who follows it; some
 * call the list `data`.
 */
export const textRerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/rerank',
  wire: 'own',
  params: {
    model: true,
    query: true,
    documents: (_documents, request) => ({ documents: rerankTexts(request) }),
    top_n: true,
    // They are given back from the request.
    return_documents: () => ({}),
  },
  reply: (body, context, request) => {
    const { results, data, model, id, usage } = isRecord(body) ? body : {}
    const tokens = isRecord(usage) ? usage.total_tokens : undefined
    return rerankReply({ results: results ?? data, model, id, tokens }, request, context)
  },
}
