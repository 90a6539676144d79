import { isRecord, UpstreamInvalid } from '#kit'
import type { Bridge } from '#kit/provider'
import { camelOf, type Fields, fieldOf, recordAt, recordsAt, refuse, textAt } from './fields.ts'

/** Fields of a request that is embedded, but for its text. */
interface Asked {
  readonly text: string
  readonly dimensions: unknown
}

const readRequest = (request: Fields, place: string, lost: Set<string>): Asked => {
  const content = recordAt(request, 'content', place)
  if (content === undefined) throw refuse(`${place}content`, 'is required')
  const texts = recordsAt(content, 'parts', `${place}content.`).map((part, index) => {
    const text = textAt(part, 'text', `${place}content.parts[${index}].`)
    if (text !== undefined) return text
    throw refuse(`${place}content.parts[${index}]`, 'must be a text for a provider that is not Google')
  })
  for (const [name, value] of Object.entries(request)) {
    if (!READ.has(camelOf(name)) && value !== null) lost.add(camelOf(name))
  }
  return { text: texts.join('\n'), dimensions: fieldOf(request, 'outputDimensionality') }
}

const READ: ReadonlySet<string> = new Set(['model', 'stream', 'content', 'outputDimensionality'])

const toEmbeddings = (model: unknown, asked: readonly Asked[], lost: Set<string>): ReturnType<Bridge['request']> => {
  const [first] = asked
  const other = asked.findIndex(({ dimensions }) => dimensions !== first?.dimensions)
  if (other !== -1) {
    throw refuse(`requests[${other}].outputDimensionality`, 'must be the same in all requests of a batch')
  }
  const dimensions = first?.dimensions
  const input = asked.map(({ text }) => text)
  return {
    request: { model, input, ...(dimensions === undefined ? {} : { dimensions }) },
    dropped: [...lost],
  }
}

/** @throws UpstreamInvalid for what is no list of vectors of numbers */
const vectorsOf = ({ data }: Fields): readonly Fields[] => {
  const vectors = Array.isArray(data) ? data.filter(isRecord).map(({ embedding }) => embedding) : []
  if (vectors.length === 0 || !vectors.every(Array.isArray)) {
    throw new UpstreamInvalid('The provider answered with no embeddings.')
  }
  return vectors.map((values: unknown) => ({ values }))
}

const noStream: Bridge['stream'] = () => ({ push: () => '', end: () => '' })

/** Google's `embedContent` at a provider of embeddings (its page "Embeddings", read 2026-11-22). */
export const embedByEmbeddings: Bridge = {
  from: 'gemini-embed',
  to: 'embeddings',
  request(params) {
    const lost = new Set<string>()
    return toEmbeddings(params.model, [readRequest(params, '', lost)], lost)
  },
  reply: (answer) => ({ embedding: vectorsOf(answer)[0] }),
  stream: noStream,
}

/** Google's `batchEmbedContents`, of which its SDKs make every call to embed. */
export const batchByEmbeddings: Bridge = {
  from: 'gemini-batch-embed',
  to: 'embeddings',
  request(params) {
    const lost = new Set<string>()
    const requests = recordsAt(params, 'requests')
    const asked = requests.map((request, index) => readRequest(request, `requests[${index}].`, lost))
    return toEmbeddings(params.model, asked, lost)
  },
  reply: (answer) => ({ embeddings: vectorsOf(answer) }),
  stream: noStream,
}
