/**
 * Models of Google at Vertex AI. Source: @google/genai 2.32.0 (paths below `publishers/google/models`, version `v1beta1`, embeddings
 * by `predict` or `embedContent`, list of `publisherModels`), read 2026-11-22; the forms themselves are those of the provider
 * `google`.
 */
import { isRecord } from '#kit'
import {
  type Adapter,
  type AdapterContext,
  type AnyAdapter,
  applyParams,
  type Model,
  type ModelList,
  mapChanged,
  type ParamMap,
} from '#kit/provider'
import { countTokens } from '../google/count-tokens.ts'
import { throwError } from '../google/failure.ts'
import { imagen } from '../google/imagen.ts'
import { type Fields, textOf, unreadable } from '../google/json.ts'
import { toReply } from '../google/reply.ts'
import { chatParams } from '../google/request.ts'
import { createStream } from '../google/stream.ts'
import { embeddingsByContent, embeddingsByPredict } from './embeddings.ts'
import { readModel, segmentOf } from './model.ts'
import { projectPath } from './place.ts'
import { renamed } from './renamed.ts'

const path = ({ model, settings }: AdapterContext, method: string): string =>
  `${projectPath('v1beta1', settings)}/publishers/google/models/${segmentOf(readModel(model).name)}:${method}`

const generate = (context: AdapterContext): string =>
  path(context, context.stream ? 'streamGenerateContent?alt=sse' : 'generateContent')

const chat: Adapter<'chat'> = {
  method: 'POST',
  path: generate,
  wire: 'own',
  params: chatParams,
  reply: toReply,
  stream: createStream,
}

/** What is counted of a request: `countTokensParametersToVertex` of @google/genai 2.32.0, read 2026-11-22. */
const COUNTED: ReadonlySet<string> = new Set(['contents', 'systemInstruction', 'tools', 'generationConfig'])

/** Unlike AI Studio, Vertex AI takes the fields of the request themselves. */
const count: Adapter<'chat-count-tokens'> = {
  ...countTokens,
  path: (context) => path(context, 'countTokens'),
  always: (request, context) =>
    Object.fromEntries(
      Object.entries(applyParams(chatParams, request, context, 'drop').body).filter(([name]) => COUNTED.has(name)),
    ),
}

/** AI Studio takes a content without a role for the user's, Vertex AI refuses it ("Please use a valid role: user, model"). */
const withRoles = (contents: unknown): unknown =>
  Array.isArray(contents)
    ? mapChanged(contents as readonly unknown[], (content) =>
        isRecord(content) && content.role === undefined ? { role: 'user', ...content } : content,
      )
    : contents

const contents: ParamMap<Fields> = { contents: (value: unknown) => ({ contents: withRoles(value) }) }

/** AI Studio counts a whole request under a name of its own. */
const counted = (value: unknown): Fields => {
  if (!isRecord(value)) return {}
  const { model: _model, ...request } = value
  return { ...request, ...(request.contents === undefined ? {} : { contents: withRoles(request.contents) }) }
}

const native = (of: Adapter<'gemini'>['path'], params: ParamMap<Fields>): AnyAdapter => ({
  method: 'POST',
  path: of,
  wire: 'native',
  params,
})

/** By the form that Google's models are asked in. */
export const geminiAdapters: Readonly<Record<string, AnyAdapter>> = {
  chat: renamed(chat),
  'chat-count-tokens': renamed(count),
  gemini: native(generate, contents),
  'gemini-count-tokens': native((context) => path(context, 'countTokens'), {
    ...contents,
    generateContentRequest: counted,
    generate_content_request: counted,
  }),
}

/** Newer models make one embedding of one content (`tIsVertexEmbedContentModel` of @google/genai). */
const isByContent = (name: string): boolean => name.includes('gemini') && name !== 'gemini-embedding-001'

const byPredict = renamed({ ...embeddingsByPredict, path: (context) => path(context, 'predict') })
const byContent = renamed({ ...embeddingsByContent, path: (context) => path(context, 'embedContent') })

export const embeddingsAdapter = (name: string): AnyAdapter => (isByContent(name) ? byContent : byPredict)

/** Images are made by Imagen alone in this form. */
export const imagesAdapter = renamed({ ...imagen, path: (context) => path(context, 'predict') })

/** The models of Google; those of others are in the catalogue alone. */
export const modelsAdapter: Adapter<'models'> = {
  method: 'GET',
  path: '/v1beta1/publishers/google/models?pageSize=1000',
  wire: 'own',
  params: {},
  reply: (body, { created }): { reply: ModelList } => {
    throwError(body)
    if (!isRecord(body) || !Array.isArray(body.publisherModels)) throw unreadable('it is not a list of models')
    const data = body.publisherModels.map((entry: unknown): Model => {
      const name = isRecord(entry) ? textOf(entry.name) : undefined
      if (name === undefined) throw unreadable('a model has no name')
      return { id: readModel(name).name, object: 'model', created, owned_by: 'google' }
    })
    return { reply: { object: 'list', data } }
  },
}
