/** Kinds of call that stream under a word of their own. */
const STREAMED = ['complete', 'chatComplete', 'messages'] as const

/** Kinds of call that pass through to the provider. */
const PASSED_THROUGH = [
  'messages',
  'stream-messages',
  'rerank',
  'moderate',
  'imageGenerate',
  'createSpeech',
  'createTranscription',
  'createTranslation',
  'realtime',
  'uploadFile',
  'listFiles',
  'retrieveFile',
  'deleteFile',
  'retrieveFileContent',
  'createBatch',
  'retrieveBatch',
  'cancelBatch',
  'listBatches',
  'getBatchOutput',
  'createFinetune',
  'listFinetunes',
  'retrieveFinetune',
  'cancelFinetune',
  'createModelResponse',
  'getModelResponse',
  'deleteModelResponse',
  'listResponseInputItems',
] as const

/** Values of `endpoint_type` (behaviour reference, section 12.1); `listModels` and `render` are Weir's own. */
export const ENDPOINT_TYPES: readonly string[] = [
  'complete',
  'stream-complete',
  'chatComplete',
  'stream-chatComplete',
  'embed',
  'listModels',
  'render',
  'proxy',
  ...PASSED_THROUGH,
]

const WIDER: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...STREAMED.map((word) => [word, [word, `stream-${word}`]] as const),
  ['proxy', ['proxy', ...PASSED_THROUGH]],
])

/**
 * The kinds of call that a word in a condition stands for. A limit on chats is one on those that stream too, and one on what
 * passes through holds whatever it is: neither is got around by asking in another way.
 */
export const endpointTypesMeant = (word: string): readonly string[] => WIDER.get(word) ?? [word]
