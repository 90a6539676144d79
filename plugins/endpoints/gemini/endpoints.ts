import { usageOfAny } from '#calls/any-usage'
import { estimateInputTokens } from '#calls/estimate-tokens'
import { defineEndpoint, type Endpoint, isRecord, jsonBody, maybe, t, worded } from '#kit'
import { Model } from '../fields.ts'
import { geminiBatchEmbedTexts, geminiEmbedTexts, geminiTexts } from '../texts/gemini.ts'
import { geminiAnswers } from './answers.ts'
import { googleErrors } from './errors.ts'
import { type Fields, fieldOf, recordAt } from './fields.ts'
import { readModelPath } from './path.ts'

const Content = t.Object({ parts: maybe(t.Array(t.Unknown())) })

/** What the path says: the model and, by the method behind it, whether the answer is a stream. No body has these. */
const ofPath: Pick<Endpoint, 'paramsOf' | 'notInBody' | 'errors'> = {
  paramsOf: (body, request) => {
    const { model, method } = readModelPath(request)
    return { ...body, model, stream: method === 'streamGenerateContent' }
  },
  notInBody: ['model', 'stream'],
  errors: googleErrors,
}

/** Field names in either case, as ProtoJSON has them. */
const READS: readonly string[] = ['contents', 'systemInstruction', 'system_instruction', 'tools']

export const generateContent = defineEndpoint({
  ...ofPath,
  id: 'gemini',
  requestTypes: ['generateContent', 'stream-generateContent'],
  operation: 'generate_content',
  form: 'gemini',
  body: jsonBody(
    t.Object({
      model: Model,
      contents: worded(t.Array(Content, { minItems: 1 }), 'must be an array with at least one content'),
      generationConfig: maybe(t.Object({})),
      generation_config: maybe(t.Object({})),
      tools: maybe(t.Array(t.Unknown())),
      toolConfig: maybe(t.Object({})),
      tool_config: maybe(t.Object({})),
    }),
  ),
  answer: {
    kind: 'events',
    schema: t.Object({ candidates: t.Array(t.Unknown()), usageMetadata: t.Object({}) }),
    form: geminiAnswers,
  },
  cache: 'simple',
  recovery: ['restart'],
  learnsPatience: true,
  reads: READS,
  texts: geminiTexts,
  isWritten: true,
  choicesOf: (params) => {
    const config = fieldOf(params, 'generationConfig')
    const count = isRecord(config) ? fieldOf(config, 'candidateCount') : undefined
    return typeof count === 'number' && count > 0 ? count : 1
  },
  usageOf: usageOfAny,
})

export const countTokens = defineEndpoint({
  ...ofPath,
  id: 'gemini-count-tokens',
  requestTypes: ['countTokens'],
  operation: 'count_tokens',
  form: 'gemini-count-tokens',
  body: jsonBody(
    t.Object({
      model: Model,
      contents: maybe(t.Array(Content)),
      generateContentRequest: maybe(t.Object({})),
      generate_content_request: maybe(t.Object({})),
    }),
  ),
  answer: { kind: 'json', schema: t.Object({ totalTokens: t.Integer() }) },
  answersItself: (params) => {
    const request: Fields = recordAt(params, 'generateContentRequest') ?? params
    const totalTokens = estimateInputTokens(request, READS)
    return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }
  },
  isCounted: false,
})

export const embedContent = defineEndpoint({
  ...ofPath,
  id: 'gemini-embed',
  requestTypes: ['embedContent'],
  operation: 'embeddings',
  form: 'gemini-embed',
  body: jsonBody(t.Object({ model: Model, content: Content })),
  answer: { kind: 'json', schema: t.Object({ embedding: t.Object({ values: t.Array(t.Number()) }) }) },
  cache: 'simple',
  learnsPatience: true,
  reads: ['content'],
  texts: geminiEmbedTexts,
  usageOf: usageOfAny,
})

export const batchEmbedContents = defineEndpoint({
  ...ofPath,
  id: 'gemini-batch-embed',
  requestTypes: ['batchEmbedContents'],
  operation: 'embeddings',
  form: 'gemini-batch-embed',
  body: jsonBody(
    t.Object({
      model: Model,
      requests: worded(
        t.Array(t.Object({ content: Content }), { minItems: 1 }),
        'must be an array with at least one request that has a `content`',
      ),
    }),
  ),
  answer: { kind: 'json', schema: t.Object({ embeddings: t.Array(t.Object({ values: t.Array(t.Number()) })) }) },
  cache: 'simple',
  learnsPatience: true,
  reads: ['requests'],
  texts: geminiBatchEmbedTexts,
  usageOf: usageOfAny,
})

/** By the method behind the model. */
export const METHODS: ReadonlyMap<string, Endpoint> = new Map([
  ['generateContent', generateContent],
  ['streamGenerateContent', generateContent],
  ['countTokens', countTokens],
  ['embedContent', embedContent],
  ['batchEmbedContents', batchEmbedContents],
])
