import { InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import { type Adapter, type EmbeddingsRequest, embeddingInputs, embeddingsReply, embeddingTexts } from '#kit/provider'
import { modelOf, modelPath } from './models.ts'

/**
 * Embeddings at InvokeModel: of Titan, one input a call, and of Cohere, up to 96 ("Amazon Titan Text Embeddings", "Amazon Titan
 * Multimodal Embeddings G1", "Cohere Embed v3", "Cohere Embed v4" of the user guide, read 2026-11-22).
 */
export const embeddings: Adapter<'embeddings'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(model)}/invoke`,
  wire: 'own',
  params: {
    model: () => ({}),
    input: () => ({}),
    encoding_format: () => ({}),
    dimensions: (_value, _request, { model }) => (hasDimensions(model) ? {} : undefined),
    input_type: (value: unknown, _request, { model }) => (isCohere(model) ? { input_type: value } : undefined),
    truncate: (value: unknown, _request, { model }) => (isCohere(model) ? { truncate: value } : undefined),
    normalize: (value: unknown, _request, { model }) => (isTitanText2(model) ? { normalize: value } : undefined),
  },
  always: (request, context) => {
    if (isCohere(context.model)) return cohere(request, context.model)
    return isTitanImage(context.model) ? titanImage(request) : titanText(request, context.model)
  },
  reply(body, context, asked) {
    if (!isRecord(body)) throw new UpstreamInvalid('Bedrock answered with something that is not a JSON object.')
    return embeddingsReply(vectorsOf(body), (asked ?? {}) as EmbeddingsRequest, context, {
      tokens: body.inputTextTokenCount,
    })
  },
}

const isCohere = (model: string): boolean => modelOf(model).maker === 'cohere'
const isTitanImage = (model: string): boolean => modelOf(model).name.startsWith('titan-embed-image')
const isTitanText2 = (model: string): boolean => modelOf(model).name.startsWith('titan-embed-text-v2')
const isCohere4 = (model: string): boolean => /embed-v4/.test(modelOf(model).name)
const hasDimensions = (model: string): boolean => isTitanImage(model) || isTitanText2(model) || isCohere4(model)

const only = <Input>(inputs: readonly Input[]): Input => {
  const [input] = inputs
  if (input !== undefined && inputs.length === 1) return input
  throw new InvalidRequest('`input` must be one text: this model of Bedrock takes one a call.', { param: 'input' })
}

const titanText = (request: EmbeddingsRequest, model: string): Record<string, unknown> => ({
  inputText: only(embeddingTexts(request)),
  ...(request.dimensions != null && isTitanText2(model) ? { dimensions: request.dimensions } : {}),
})

const titanImage = (request: EmbeddingsRequest): Record<string, unknown> => {
  const parts = only(embeddingInputs(request))
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []))
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []))
  if (images.length > 1) throw new InvalidRequest('`input` must have one image at most.', { param: 'input' })
  return {
    ...(texts.length === 0 ? {} : { inputText: texts.join('\n') }),
    ...(images[0] === undefined ? {} : { inputImage: base64Of(images[0]) }),
    ...(request.dimensions == null ? {} : { embeddingConfig: { outputEmbeddingLength: request.dimensions } }),
  }
}

const base64Of = (url: string): string => {
  const comma = url.indexOf(';base64,')
  if (url.startsWith('data:image/') && comma !== -1) return url.slice(comma + ';base64,'.length)
  throw new InvalidRequest('`input` must have images as base64 `data:` URLs: Bedrock fetches nothing from the web.', {
    param: 'input',
  })
}

/** `input_type` is required: a search looks among documents unless the call says otherwise. */
const cohere = (request: EmbeddingsRequest, model: string): Record<string, unknown> => {
  const inputs = embeddingInputs(request)
  const kinds = inputs.map((parts) => (parts.length > 1 ? 'mixed' : 'image' in (parts[0] ?? {}) ? 'image' : 'text'))
  const common = {
    ...(request.input_type == null
      ? { input_type: kinds.includes('image') && !isCohere4(model) ? 'image' : 'search_document' }
      : {}),
    embedding_types: ['float'],
    ...(request.dimensions != null && isCohere4(model) ? { output_dimension: request.dimensions } : {}),
  }
  if (kinds.every((kind) => kind === 'text')) return { ...common, texts: embeddingTexts(request) }
  const urls = inputs.map((parts) => parts.map((part) => ('text' in part ? part : { image: checkedImage(part.image) })))
  if (kinds.every((kind) => kind === 'image')) {
    return {
      ...common,
      images: urls.flatMap((parts) => parts.flatMap((part) => ('image' in part ? [part.image] : []))),
    }
  }
  if (!isCohere4(model)) {
    throw new InvalidRequest('`input` must be texts alone or images alone for this model of Bedrock.', {
      param: 'input',
    })
  }
  return {
    ...common,
    inputs: urls.map((parts) => ({
      content: parts.map((part) =>
        'text' in part ? { type: 'text', text: part.text } : { type: 'image_url', image_url: part.image },
      ),
    })),
  }
}

const checkedImage = (url: string): string => {
  base64Of(url)
  return url
}

const vectorsOf = ({ embedding, embeddings: several }: Readonly<Record<string, unknown>>): unknown => {
  if (embedding !== undefined) return [embedding]
  return isRecord(several) ? several.float : several
}
