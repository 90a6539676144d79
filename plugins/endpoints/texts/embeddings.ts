import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { addWords } from './words.ts'

/** What is turned into vectors: texts, or parts that have some. One that comes as tokens is none that anybody here could read. */
export const embeddingTexts: EndpointTexts = {
  asked: ({ input }) => {
    const places: TextPlace[] = []
    addWords(places, input, ['input'], { role: 'user', kind: 'text' })
    return places
  },
}
