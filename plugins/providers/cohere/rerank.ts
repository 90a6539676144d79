import { isRecord } from '#kit'
import { type Adapter, rerankFields, rerankReply } from '#kit/provider'

/** Documents are texts: "structured data should be formatted as YAML strings", so fields that are to be compared become that. */
export const rerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/v2/rerank',
  wire: 'own',
  params: {
    model: true,
    query: true,
    documents: (_documents, request) => ({ documents: rerankFields(request) }),
    rank_fields: () => ({}),
    top_n: true,
    max_tokens_per_doc: true,
    priority: true,
    // They are given back from the request.
    return_documents: () => ({}),
  },
  reply: (body, context, request) => {
    const { id, results, meta } = isRecord(body) ? body : {}
    const billed = isRecord(meta) && isRecord(meta.billed_units) ? meta.billed_units : {}
    return rerankReply({ id, results, searchUnits: billed.search_units, tokens: billed.input_tokens }, request, context)
  },
}
