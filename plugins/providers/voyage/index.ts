/**
 * Voyage AI: embeddings of texts and images, rerank. Sources: types of voyageai 0.4.0 (npm) and voyageai 0.5.0 (PyPI, embedding.py,
 * util.py), generated from its API; "Rerankers" of docs.voyageai.com; read 2026-11-22. It lists no models.
 */
import { bearer, defined, definePlugin, isRecord, providerConfig } from '#kit'
import { type Adapter, openaiFailure, rerankReply, rerankTexts } from '#kit/provider'
import { embeddings } from './embeddings.ts'

const rerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/rerank',
  wire: 'own',
  params: {
    model: true,
    query: true,
    documents: (_documents, request) => ({ documents: rerankTexts(request) }),
    top_n: 'top_k',
    truncation: true,
    // They are given back from the request.
    return_documents: () => ({}),
  },
  reply: (body, context, request) => {
    const { data: results, model, usage } = isRecord(body) ? body : {}
    return rerankReply({ results, model, tokens: isRecord(usage) ? usage.total_tokens : undefined }, request, context)
  },
}

export default definePlugin({
  name: 'voyage',
  config: providerConfig('https://api.voyageai.com/v1'),
  setup: ({ baseURL, apiKey, models }) => ({
    providers: [
      {
        id: 'voyage',
        baseURL,
        needsKey: true,
        ...defined({ apiKey, models }),
        endpoints: { embeddings, rerank },
        authorize: bearer(),
        failure: openaiFailure,
      },
    ],
  }),
})
