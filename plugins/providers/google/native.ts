import { isRecord, type Provider } from '#kit'
import { type AdapterContext, mapChanged, nativeAdapter, type ParamMap } from '#kit/provider'
import { bareModel, modelPath } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A request within a request names the model again. It is Google's own name that has to stand there, whatever the client called it.
 */
const named = (request: unknown, { model }: AdapterContext): unknown => {
  if (!isRecord(request) || request.model === undefined) return request
  const name = `models/${bareModel(model)}`
  return request.model === name || request.model === model ? request : { ...request, model: name }
}

const inner =
  (field: string) =>
  (value: unknown, _request: unknown, context: AdapterContext): Fields => ({
    [field]: Array.isArray(value)
      ? mapChanged(value as readonly unknown[], (item) => named(item, context))
      : named(value, context),
  })

const asked = (method: string, params: ParamMap<Fields> = {}) => ({
  method: 'POST' as const,
  path: ({ model }: AdapterContext): string => `${modelPath(model)}:${method}`,
  wire: 'native' as const,
  params,
})

/** Calls in Gemini's own form, whose bytes pass. A stream always comes as events, whichever way the client wants it. */
export const ownForms: Provider['endpoints'] = {
  gemini: {
    ...asked('generateContent'),
    path: ({ model, stream }: AdapterContext): string =>
      `${modelPath(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  },
  'gemini-count-tokens': asked('countTokens', {
    generateContentRequest: inner('generateContentRequest'),
    generate_content_request: inner('generate_content_request'),
  }),
  'gemini-models': nativeAdapter(({ search = '' }) => `/models${search}`, 'GET'),
  'gemini-model': nativeAdapter(({ model }) => modelPath(model), 'GET'),
  'gemini-embed': asked('embedContent'),
  'gemini-batch-embed': asked('batchEmbedContents', { requests: inner('requests') }),
}
