/**
 * Jina AI: embeddings of texts and images, rerank. Source: "Jina AI Search Foundation API's documentation" in v9.txt of
 * github.com/jina-ai/meta-prompt, which is Jina's own, read 2026-11-22. A form of its list of models was not found in public
 * documentation.
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
    top_n: true,
    return_documents: () => ({}),
  },
  // Unasked it repeats the documents; they are given back from the request.
  always: () => ({ return_documents: false }),
  reply: (body, context, request) => {
    const { results, model, usage } = isRecord(body) ? body : {}
    return rerankReply({ results, model, tokens: isRecord(usage) ? usage.total_tokens : undefined }, request, context)
  },
}

export default definePlugin({
  name: 'jina',
  config: providerConfig('https://api.jina.ai/v1'),
  setup: ({ baseURL, apiKey, models }) => ({
    providers: [
      {
        id: 'jina',
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
