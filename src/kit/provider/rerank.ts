import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { tokenCount, type Usage } from '../../core/usage.ts'
import { InvalidRequest, UpstreamInvalid } from '../../errors/gateway-error.ts'
import type { AdapterContext } from './provider.ts'
import type { RerankDocument, RerankReply, RerankRequest, RerankResult } from './rank.ts'

/** The text of each document, for a provider that takes texts alone. */
export const rerankTexts = ({ documents }: Pick<RerankRequest, 'documents'>): readonly string[] =>
  documents.map((document, index) => textOf(document, index))

/**
 * The documents with the fields that `rank_fields` names, one to a line as YAML, which is what providers of texts alone want of
 * structured data. Without `rank_fields`: their texts.
 * @throws InvalidRequest for a document that has none of the fields
 */
export const rerankFields = ({ documents, rank_fields: fields }: RerankRequest): readonly string[] => {
  if (!Array.isArray(fields)) return rerankTexts({ documents })
  return documents.map((document, index) => {
    const values: Readonly<Record<string, unknown>> = typeof document === 'string' ? { text: document } : document
    const lines = fields.flatMap((field: unknown) =>
      typeof field === 'string' && isRecord(values) && Object.hasOwn(values, field)
        ? // JSON is YAML too.
          [`${field}: ${JSON.stringify(values[field])}`]
        : [],
    )
    if (lines.length > 0) return lines.join('\n')
    const param = `documents[${index}]`
    throw new InvalidRequest(`\`${param}\` has none of the fields in \`rank_fields\`.`, { param })
  })
}

/** What a host said, as far as hosts differ. */
export interface RerankAnswer {
  /** A list of objects with `index` and a score. */
  readonly results: unknown
  /** Field of the score. Default `relevance_score`. */
  readonly score?: string
  readonly id?: unknown
  readonly model?: unknown
  readonly searchUnits?: unknown
  /** Tokens of the input. */
  readonly tokens?: unknown
}

/**
 * The reply to a rerank, of whatever a host says about the order: best first, no more than were asked for, with the documents
 * of the request where they are wanted.
 * @throws UpstreamInvalid for an answer that has no results, or one for a document that there is not
 */
export const rerankReply = (
  answer: RerankAnswer,
  request: RerankRequest,
  context: AdapterContext,
): { readonly reply: RerankReply; readonly usage?: Usage } => {
  const { documents, top_n: topN, return_documents: withDocuments } = request
  if (!Array.isArray(answer.results)) throw new UpstreamInvalid('The answer is no list of results.')
  const results = answer.results.map((result: unknown): RerankResult => {
    const { index, [answer.score ?? 'relevance_score']: score } = isRecord(result) ? result : {}
    const document = typeof index === 'number' ? documents[index] : undefined
    if (typeof index !== 'number' || typeof score !== 'number' || document === undefined) {
      throw new UpstreamInvalid('A result of the answer has no score, or is of no document that was sent.')
    }
    const found = { index, relevance_score: score }
    return withDocuments === true ? { ...found, document: asObject(document) } : found
  })
  const units = count(answer.searchUnits)
  const tokens = tokenCount(answer.tokens)
  const usage = defined({ search_units: units, prompt_tokens: tokens, total_tokens: tokens })
  return {
    reply: {
      id: typeof answer.id === 'string' ? answer.id : `rerank-${context.callId}`,
      object: 'list',
      results: results
        .toSorted((one, other) => other.relevance_score - one.relevance_score)
        .slice(0, typeof topN === 'number' ? topN : documents.length),
      model: typeof answer.model === 'string' ? answer.model : context.model,
      ...(units === undefined && tokens === undefined ? {} : { usage }),
      ...defined({ provider: context.provider }),
    },
    ...(tokens === undefined ? {} : { usage: { inputTokens: tokens, outputTokens: 0, totalTokens: tokens } }),
  }
}

const asObject = (document: RerankDocument): NonNullable<RerankResult['document']> =>
  typeof document === 'string' ? { text: document } : document

const textOf = (document: unknown, index: number): string => {
  if (typeof document === 'string') return document
  if (isRecord(document) && typeof document.text === 'string') return document.text
  const param = `documents[${index}]`
  throw new InvalidRequest(`\`${param}\` must be a string or an object with a \`text\`.`, { param })
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
