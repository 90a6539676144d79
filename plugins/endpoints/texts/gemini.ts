import type { EndpointTexts, TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { addGrounding, addParts, isResponsePart } from './gemini-parts.ts'
import { lastTurn } from './last-turn.ts'
import { GeminiStream } from './streams/gemini-stream.ts'
import { addWords, type Role } from './words.ts'

const roleOf = (content: unknown): Role => {
  if (!isRecord(content)) return 'user'
  const { role, parts } = content
  if (role === 'model') return 'assistant'
  if (role === 'system') return role
  return Array.isArray(parts) && parts.length > 0 && parts.every(isResponsePart) ? 'tool' : 'user'
}

/** Where the texts of the Gemini API stand. */
export const geminiTexts: EndpointTexts = {
  asked: ({ contents }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(contents)) return places
    for (let index = lastTurn(contents, roleOf); index < contents.length; index++) {
      const content: unknown = contents[index]
      if (isRecord(content)) addParts(places, content.parts, ['contents', index, 'parts'], roleOf(content))
    }
    return places
  },
  answered: ({ candidates }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(candidates)) return places
    for (let index = 0; index < candidates.length; index++) {
      const candidate: unknown = candidates[index]
      if (!isRecord(candidate)) continue
      const { content } = candidate
      const path = ['candidates', index]
      const tokens = isRecord(candidate.logprobsResult) ? [...path, 'logprobsResult'] : undefined
      if (isRecord(content)) addParts(places, content.parts, [...path, 'content', 'parts'], 'assistant', tokens)
      addGrounding(places, candidate, path)
    }
    return places
  },
  stream: () => new GeminiStream(),
  say: (text, { id, model }) => ({
    candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    modelVersion: model,
    responseId: id,
  }),
}

/** What is turned into one vector. */
export const geminiEmbedTexts: EndpointTexts = {
  asked: ({ content, title }) => {
    const places: TextPlace[] = []
    addWords(places, title, ['title'], { role: 'user', kind: 'text' })
    if (isRecord(content)) addParts(places, content.parts, ['content', 'parts'], 'user')
    return places
  },
}

/** What is turned into a vector each. */
export const geminiBatchEmbedTexts: EndpointTexts = {
  asked: ({ requests }) => {
    const places: TextPlace[] = []
    if (!Array.isArray(requests)) return places
    for (let index = 0; index < requests.length; index++) {
      const request: unknown = requests[index]
      if (!isRecord(request)) continue
      for (const place of geminiEmbedTexts.asked(request))
        places.push({ ...place, path: ['requests', index, ...place.path] })
    }
    return places
  },
}
