import { InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import { partitionOf } from '#kit/aws'
import { type Adapter, type AdapterContext, type RerankRequest, rerankReply, rerankTexts } from '#kit/provider'
import { baseModelOf } from './models.ts'

/** Most documents of one call ("RerankSourcesList", API reference of Agents for Amazon Bedrock, read 2026-11-22). */
const MOST_DOCUMENTS = 1000

/**
 * Rerank of "Agents for Amazon Bedrock Runtime" (botocore 1.44.5, service-2.json, read 2026-11-22), which is at a host of its own and
 * names its model by an ARN. Documents go as texts; what it costs is not told.
 */
export const rerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/rerank',
  wire: 'own',
  params: {
    model: () => ({}),
    query: (query) => ({ queries: [{ type: 'TEXT', textQuery: { text: query } }] }),
    documents: (documents, request) => {
      if (documents.length > MOST_DOCUMENTS) {
        throw new InvalidRequest(`\`documents\` must be ${MOST_DOCUMENTS} at most.`, { param: 'documents' })
      }
      const sources = rerankTexts(request).map((text) => ({
        type: 'INLINE',
        inlineDocumentSource: { type: 'TEXT', textDocument: { text } },
      }))
      return { sources }
    },
    top_n: () => ({}),
    return_documents: () => ({}),
    parameters: () => ({}),
    max_tokens_per_doc: null,
    priority: null,
    rank_fields: null,
    truncation: null,
  },
  always: (request, context) => ({ rerankingConfiguration: configuration(request, context) }),
  reply(body, context, asked) {
    if (!isRecord(body) || !Array.isArray(body.results)) throw new UpstreamInvalid('The answer is no list of results.')
    return rerankReply({ results: body.results, score: 'relevanceScore' }, asked as RerankRequest, context)
  },
}

const configuration = ({ top_n: topN, parameters, documents }: RerankRequest, { model, settings }: AdapterContext) => ({
  type: 'BEDROCK_RERANKING_MODEL',
  bedrockRerankingConfiguration: {
    numberOfResults: typeof topN === 'number' ? Math.min(topN, documents.length) : documents.length,
    modelConfiguration: {
      modelArn: model.startsWith('arn:') ? model : arnOf(model, settings),
      ...(isRecord(parameters) ? { additionalModelRequestFields: parameters } : {}),
    },
  },
})

const arnOf = (model: string, { aws_region: region }: Readonly<Record<string, string>>): string =>
  `arn:${partitionOf(region)}:bedrock:${region}::foundation-model/${baseModelOf(model)}`
