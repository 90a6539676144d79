import { type Collector, isRecord } from '#kit'
import type { Fields } from './fields.ts'

interface Growing {
  readonly parts: Record<string, unknown>[]
  role: unknown
  fields: Fields
}

/** Puts the events of `streamGenerateContent` together: parts one behind the other, of all other fields the last holds. */
export const createCollector = (): Collector => {
  const candidates = new Map<number, Growing>()
  let fields: Fields = {}
  const addCandidate = (candidate: unknown, place: number): void => {
    if (!isRecord(candidate)) throw new Error('a candidate is no object')
    const { content, ...rest } = candidate
    const index = typeof candidate.index === 'number' ? candidate.index : place
    const growing: Growing = candidates.get(index) ?? { parts: [], role: 'model', fields: {} }
    candidates.set(index, growing)
    growing.fields = { ...growing.fields, ...rest }
    if (content === undefined || content === null) return
    if (!isRecord(content)) throw new Error('the content of a candidate is no object')
    growing.role = content.role ?? growing.role
    const parts = content.parts ?? []
    if (!Array.isArray(parts) || !parts.every(isRecord)) throw new Error('the parts of a candidate are no objects')
    for (const part of parts) addPart(growing.parts, part)
  }
  return {
    add(chunk) {
      const { candidates: given, usageMetadata, ...rest } = chunk
      if (given !== undefined && !Array.isArray(given)) throw new Error('an event is no answer')
      given?.forEach(addCandidate)
      const earlier = isRecord(fields.usageMetadata) ? fields.usageMetadata : {}
      fields = { ...fields, ...rest }
      if (isRecord(usageMetadata)) fields = { ...fields, usageMetadata: { ...earlier, ...usageMetadata } }
    },
    whole() {
      const made = [...candidates]
        .sort(([one], [other]) => one - other)
        .map(([index, { parts, role, fields: rest }]) => {
          // An empty text at the end only carries the word for it.
          const said = parts.length > 1 ? parts.filter((part) => !isEmptyText(part)) : parts
          return { ...(said.length === 0 ? {} : { content: { parts: said, role } }), ...rest, index }
        })
      return made.length === 0 ? fields : { candidates: made, ...fields }
    },
  }
}

/** Text goes on in the part before it, unless a signature ends that or comes with this. */
const addPart = (parts: Record<string, unknown>[], part: Fields): void => {
  const last = parts.at(-1)
  if (last !== undefined && isPlainText(last) && isPlainText(part) && last.thought === part.thought) {
    last.text = `${last.text}${part.text}`
  } else parts.push({ ...part })
}

const isPlainText = (part: Fields): boolean =>
  typeof part.text === 'string' && Object.keys(part).every((name) => name === 'text' || name === 'thought')

const isEmptyText = (part: Fields): boolean => part.text === '' && isPlainText(part)
