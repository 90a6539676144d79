import { makeEmbeddings } from './embeddings.ts'
import { makeModerations } from './moderations.ts'
import { makeOcr } from './ocr.ts'
import { makeRerank } from './rerank.ts'

/** A path whose answers never stream. */
export interface WholeAnswers {
  /** The one model that gives them. */
  readonly model: string
  /** It is meant where a request names none. */
  readonly isDefault?: true
  /** @throws MockRefusal for a request that the mock cannot read. */
  make(model: string, body: Record<string, unknown>): object
}

export const WHOLE: ReadonlyMap<string, WholeAnswers> = new Map<string, WholeAnswers>([
  ['/v1/embeddings', { model: 'mock-embedding', make: makeEmbeddings }],
  ['/v1/moderations', { model: 'mock-moderation', isDefault: true, make: makeModerations }],
  ['/v1/rerank', { model: 'mock-rerank', make: makeRerank }],
  ['/v1/ocr', { model: 'mock-ocr', make: makeOcr }],
])
