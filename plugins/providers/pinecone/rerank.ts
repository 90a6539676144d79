import { isRecord } from '#kit'
import { type Adapter, rerankReply, rerankTexts } from '#kit/provider'

const wordOf = (cuts: boolean): string => (cuts ? 'END' : 'NONE')

/** Documents are objects there, and what is too long is cut or refused by a word in `parameters`. */
export const rerank: Adapter<'rerank'> = {
  method: 'POST',
  path: '/rerank',
  wire: 'own',
  params: {
    model: true,
    query: true,
    documents: (documents, request) => {
      const texts = rerankTexts(request)
      return { documents: documents.map((each, index) => (isRecord(each) ? each : { text: texts[index] })) }
    },
    top_n: true,
    rank_fields: true,
    return_documents: () => ({}),
    truncation: (cuts, { parameters }) => (isRecord(parameters) ? {} : { parameters: { truncate: wordOf(cuts) } }),
    parameters: (parameters, { truncation: cuts }) =>
      typeof cuts === 'boolean' ? { parameters: { truncate: wordOf(cuts), ...parameters } } : { parameters },
  },
  // Unasked it repeats the documents; they are given back from the request.
  always: () => ({ return_documents: false }),
  reply: (body, context, request) => {
    const { data: results, model, usage } = isRecord(body) ? body : {}
    const searchUnits = isRecord(usage) ? usage.rerank_units : undefined
    return rerankReply({ results, score: 'score', model, searchUnits }, request, context)
  },
}
