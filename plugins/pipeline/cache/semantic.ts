import type { SemanticIndex } from '#core/ports'
import type { Call, Host } from '#kit'
import type { CachedRequest } from './cached-request.ts'
import { fingerprint } from './canonical.ts'
import { createEmbedder, type EmbeddingsHost, type EmbeddingsSettings } from './embed.ts'
import { comparable } from './likeness.ts'

/** What a request means, and where answers to such requests are. */
export interface Likeness {
  readonly scope: string
  readonly vector: readonly number[]
}

/** Finds answers to requests that mean the same. Never throws: what fails is a miss. */
export interface Semantic {
  /** Undefined for a request that it does not look at. */
  describe(call: Call, request: CachedRequest): Promise<Likeness | undefined>
  /** Key of an answer. */
  nearest(likeness: Likeness): Promise<string | undefined>
  remember(likeness: Likeness, key: string, ttlSeconds: number): void
}

export interface SemanticOptions {
  readonly host: EmbeddingsHost & Pick<Host, 'log'>
  readonly index: SemanticIndex
  readonly embeddings: EmbeddingsSettings
  /** Cosine similarity from which on two requests mean the same. */
  readonly similarity: number
}

/** Milliseconds between two lines in the log about what fails. */
const WARN_EVERY_MS = 60_000

export const createSemantic = ({ host, index, embeddings, similarity }: SemanticOptions): Semantic => {
  const embed = createEmbedder(embeddings, host)
  let warnedAtMs = Number.NEGATIVE_INFINITY

  /** @param what free of anything that a call said */
  const orNothing = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (thrown) {
      const nowMs = host.clock.monotonicMs()
      if (nowMs - warnedAtMs >= WARN_EVERY_MS) {
        warnedAtMs = nowMs
        host.log.warn(`the semantic cache works as the simple one: ${what}`, { error: nameOf(thrown) })
      }
      return undefined
    }
  }

  return {
    async describe(call, request) {
      const compared = comparable(request, call.endpoint.reads)
      if (compared === undefined) return undefined
      const vector = await orNothing('no embedding came', () => embed(call, compared.text))
      // Vectors of different models are never compared.
      return vector && { vector, scope: fingerprint([compared.scope, embeddings, vector.length]) }
    },
    async nearest({ scope, vector }) {
      const found = await orNothing('its index did not answer', () => index.nearest(scope, vector))
      return found !== undefined && found.similarity >= similarity ? found.key : undefined
    },
    remember({ scope, vector }, key, ttlSeconds) {
      void orNothing('its index did not take an entry', () => index.add(scope, vector, key, ttlSeconds))
    },
  }
}

/** Messages of drivers may hold what was asked for. */
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : 'unknown')
