import { isRecord } from '#kit'
import type { RerankReply } from '#kit/provider'
import { MockRefusal } from '../refusal.ts'
import { mockId } from './mock-id.ts'

/** Documents that one search pays for. */
const DOCUMENTS_PER_SEARCH = 100

/**
 * Puts documents in the order of the words that they share with the query: the score is the part of its words that a document
 * has. Equals keep their order.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeRerank = (model: string, body: Record<string, unknown>): RerankReply => {
  const { query, top_n: topN, return_documents: returnsDocuments } = body
  if (typeof query !== 'string') throw new MockRefusal(400, '`query` must be text.', 'query')
  const asked = wordsOf(query)
  const documents = readDocuments(body.documents)
  const ranked = documents
    .map(({ text, document }, index) => ({ index, relevance_score: scoreOf(asked, wordsOf(text)), document }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, typeof topN === 'number' ? topN : documents.length)
  return {
    id: mockId('rerank', body),
    object: 'list',
    results: ranked.map(({ document, ...result }) => (returnsDocuments === true ? { ...result, document } : result)),
    model,
    usage: { search_units: Math.ceil(documents.length / DOCUMENTS_PER_SEARCH) },
    provider: 'mock',
  }
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

const scoreOf = (asked: ReadonlySet<string>, words: ReadonlySet<string>): number =>
  asked.size === 0 ? 0 : asked.intersection(words).size / asked.size

const readDocuments = (documents: unknown): readonly { text: string; document: { text: string } }[] => {
  if (!Array.isArray(documents) || documents.length === 0) {
    throw new MockRefusal(400, '`documents` must be a non-empty array.', 'documents')
  }
  return documents.map((document: unknown, index) => {
    if (typeof document === 'string') return { text: document, document: { text: document } }
    if (isRecord(document) && typeof document.text === 'string') {
      return { text: document.text, document: { ...document, text: document.text } }
    }
    throw new MockRefusal(400, 'Each document must be text, or an object with a `text`.', `documents[${index}]`)
  })
}
