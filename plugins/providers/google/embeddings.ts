import { isRecord } from '#kit'
import {
  type Adapter,
  type AdapterContext,
  type EmbeddingsRequest,
  embeddingInputs,
  embeddingsReply,
} from '#kit/provider'
import { throwError } from './failure.ts'
import { type Fields, refuse, textOf, unreadable } from './json.ts'
import { toPart } from './media.ts'
import { bareModel, modelPath } from './model.ts'

/** Said elsewhere in the request: nothing is lost. */
const elsewhere = (): Fields => ({})

/** Each input is a request of its own, which says all that is asked of it. */
const toRequests = (_input: unknown, asked: EmbeddingsRequest, { model }: AdapterContext): Fields => {
  const own: Record<string, unknown> = {}
  const { dimensions, task_type: taskType, title } = asked
  if (dimensions !== undefined && dimensions !== null) {
    if (!Number.isInteger(dimensions)) throw refuse('dimensions', '`dimensions` must be an integer.')
    own.outputDimensionality = dimensions
  }
  for (const [name, value] of [
    ['taskType', taskType],
    ['title', title],
  ] as const) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') throw refuse(name === 'taskType' ? 'task_type' : name, 'It must be a string.')
    own[name] = value
  }
  return {
    requests: embeddingInputs(asked).map((parts, index) => ({
      model: `models/${bareModel(model)}`,
      content: {
        parts: parts.map((part) =>
          'text' in part ? part : toPart({ type: 'image_url', image_url: { url: part.image } }, `input[${index}]`),
        ),
      },
      ...own,
    })),
  }
}

/**
 * Embeddings by `batchEmbedContents`, one text or many (reference "Embeddings" of ai.google.dev, read 2026-11-22). `task_type` and
 * `title` are Google's own; floats come, and are made base64 here.
 */
export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(model)}:batchEmbedContents`,
  wire: 'own',
  params: {
    model: elsewhere,
    input: toRequests,
    encoding_format: elsewhere,
    dimensions: elsewhere,
    task_type: elsewhere,
    title: elsewhere,
    user: null,
  },
  reply: (body, context, asked) => {
    throwError(body)
    if (!isRecord(body) || !Array.isArray(body.embeddings)) throw unreadable('it holds no embeddings')
    const { usageMetadata: usage } = body
    const tokens = isRecord(usage) ? usage.promptTokenCount : undefined
    const vectors = body.embeddings.map((embedding: unknown) => (isRecord(embedding) ? embedding.values : undefined))
    return embeddingsReply(vectors, asked, context, { tokens, model: textOf(body.modelVersion) })
  },
}
