import { InvalidRequest, isRecord } from '#kit'
import { type Adapter, type EmbeddingsRequest, embeddingsReply, embeddingTexts, tokenCount } from '#kit/provider'
import { throwError } from '../google/failure.ts'
import { type Fields, unreadable } from '../google/json.ts'

type Embeddings = Omit<Adapter<'embeddings'>, 'path'>

/** Said elsewhere in the request: nothing is lost. */
const elsewhere = (): Fields => ({})

const textAt = (value: unknown, param: string): string | undefined => {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw new InvalidRequest(`\`${param}\` must be a string.`, { param })
}

const dimensionsOf = ({ dimensions }: EmbeddingsRequest): number | undefined => {
  if (dimensions === undefined || dimensions === null) return undefined
  if (Number.isInteger(dimensions)) return Number(dimensions)
  throw new InvalidRequest('`dimensions` must be an integer.', { param: 'dimensions' })
}

const options = (asked: EmbeddingsRequest) => ({
  taskType: textAt(asked.task_type, 'task_type'),
  title: textAt(asked.title, 'title'),
  dimensions: dimensionsOf(asked),
})

const PARAMS = {
  model: elsewhere,
  encoding_format: elsewhere,
  dimensions: elsewhere,
  task_type: elsewhere,
  title: elsewhere,
  user: null,
}

/** Several texts at once: `instances`, each with what it is for, and `parameters` for all. */
export const embeddingsByPredict: Embeddings = {
  method: 'POST',
  wire: 'own',
  params: {
    ...PARAMS,
    input: (_input, asked) => {
      const { taskType, title, dimensions } = options(asked)
      return {
        instances: embeddingTexts(asked).map((content) => ({
          content,
          ...(taskType === undefined ? {} : { task_type: taskType }),
          ...(title === undefined ? {} : { title }),
        })),
        ...(dimensions === undefined ? {} : { parameters: { outputDimensionality: dimensions } }),
      }
    },
  },
  reply: (body, context, asked) => {
    throwError(body)
    if (!isRecord(body) || !Array.isArray(body.predictions)) throw unreadable('it holds no predictions')
    const made = body.predictions.map((prediction: unknown) =>
      isRecord(prediction) && isRecord(prediction.embeddings) ? prediction.embeddings : {},
    )
    const counts = made.map(({ statistics }) => tokenCount(isRecord(statistics) ? statistics.token_count : undefined))
    const tokens = counts.every((count) => count !== undefined)
      ? counts.reduce((sum, count) => sum + (count ?? 0), 0)
      : undefined
    return embeddingsReply(
      made.map(({ values }) => values),
      asked,
      context,
      { tokens },
    )
  },
}

/** One text: the method has no place for another. */
export const embeddingsByContent: Embeddings = {
  method: 'POST',
  wire: 'own',
  params: {
    ...PARAMS,
    input: (_input, asked) => {
      const [text, ...others] = embeddingTexts(asked)
      if (text === undefined || others.length > 0) {
        throw new InvalidRequest('This model of Vertex AI takes one input at a time.', { param: 'input' })
      }
      const { taskType, title, dimensions } = options(asked)
      const config = {
        ...(taskType === undefined ? {} : { taskType }),
        ...(title === undefined ? {} : { title }),
        ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      }
      return {
        content: { role: 'user', parts: [{ text }] },
        ...(Object.keys(config).length === 0 ? {} : { embedContentConfig: config }),
      }
    },
  },
  reply: (body, context, asked) => {
    throwError(body)
    const embedding = isRecord(body) ? body.embedding : undefined
    if (!isRecord(body) || !isRecord(embedding)) throw unreadable('it holds no embedding')
    const { usageMetadata: usage } = body
    const tokens = isRecord(usage) ? usage.promptTokenCount : undefined
    return embeddingsReply([embedding.values], asked, context, { tokens })
  },
}
