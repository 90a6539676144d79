import { type CheckInput, defineCheck, InvalidParameters, type PreparedCheck, t } from '#kit'
import { oneOf, shown } from '../shared/parameters.ts'

/** Words that requests are known by, in the interface's order. Those behind `messages` are ours. */
const TYPES = [
  'complete',
  'chatComplete',
  'embed',
  'rerank',
  'moderate',
  'stream-complete',
  'stream-chatComplete',
  'stream-messages',
  'proxy',
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
  'listFinetunes',
  'createFinetune',
  'retrieveFinetune',
  'cancelFinetune',
  'createModelResponse',
  'getModelResponse',
  'deleteModelResponse',
  'listResponseInputItems',
  'messages',
  'mcp',
  'mcpListen',
  'mcpEnd',
  'batchEmbedContents',
  'cancelModelResponse',
  'cancelRun',
  'cancelVectorStoreFileBatch',
  'countTokens',
  'createAssistant',
  'createRun',
  'createThread',
  'createThreadAndRun',
  'createThreadMessage',
  'createVectorStore',
  'createVectorStoreFile',
  'createVectorStoreFileBatch',
  'deleteAssistant',
  'deleteModel',
  'deleteThread',
  'deleteThreadMessage',
  'deleteVectorStore',
  'deleteVectorStoreFile',
  'embedContent',
  'generateContent',
  'getAssistant',
  'getRun',
  'getRunStep',
  'getThread',
  'getThreadMessage',
  'getVectorStore',
  'getVectorStoreFile',
  'getVectorStoreFileBatch',
  'imageEdit',
  'imageVariation',
  'listAssistants',
  'listFilesInVectorStoreBatch',
  'listFinetuneCheckpoints',
  'listFinetuneEvents',
  'listGeminiModels',
  'listModels',
  'listRunSteps',
  'listRuns',
  'listThreadMessages',
  'listVectorStoreFiles',
  'listVectorStores',
  'messages-count-tokens',
  'modifyAssistant',
  'modifyRun',
  'modifyThread',
  'modifyThreadMessage',
  'modifyVectorStore',
  'ocr',
  'render',
  'retrieveGeminiModel',
  'retrieveModel',
  'stream-generateContent',
  'submitToolOutputsToRun',
] as const

/** A list, or the same as one text with commas. */
const LIST = t.Optional(t.Union([t.Array(oneOf(TYPES)), t.String()]))

type Types = readonly string[]

export const allowedRequestTypes = defineCheck({
  id: 'default.allowedRequestTypes',
  summary: 'Passes when the kind of the call is allowed, and is not blocked.',
  parameters: t.Object({ allowedTypes: LIST, blockedTypes: LIST }),
  stages: ['input'],
  reads: 'request',
  prepare({ allowedTypes, blockedTypes }): PreparedCheck {
    const given = { allowed: typesOf(allowedTypes), blocked: typesOf(blockedTypes) }
    checkWords(given.allowed, 'allowedTypes')
    checkWords(given.blocked, 'blockedTypes')
    const both = overlap(given.allowed, given.blocked)
    if (both !== undefined) throw new InvalidParameters([{ path: 'blockedTypes', message: `'${both}' is allowed too` }])
    return {
      run(input) {
        const { supported_endpoints: supported, blocked_endpoints: notSupported } = input.metadata
        const allowed = given.allowed.length > 0 ? given.allowed : typesOf(supported)
        const blocked = given.blocked.length > 0 ? given.blocked : typesOf(notSupported)
        const twice = overlap(allowed, blocked)
        if (twice !== undefined) throw new Error(`'${twice}' is both allowed and blocked`)
        const words = wordsOf(input)
        const isBlocked = words.some((word) => blocked.includes(word))
        const verdict = !isBlocked && (allowed.length === 0 || words.some((word) => allowed.includes(word)))
        return {
          verdict,
          data: {
            verdict,
            currentRequestType: input.requestType,
            allowedTypes: allowed.length === 0 ? ['all'] : shown(allowed),
            blockedTypes: shown(blocked),
            source: given.allowed.length + given.blocked.length > 0 ? 'parameters' : 'metadata',
            explanation: verdict
              ? 'The kind of the call is allowed.'
              : `The kind of the call is ${isBlocked ? 'blocked' : 'not among the allowed ones'}.`,
          },
        }
      },
    }
  },
})

/** A stream is known by the word of its kind, and by its own. */
const wordsOf = ({ requestType, isStreamed }: CheckInput): Types => {
  const whole = requestType.replace(/^stream-/, '')
  return isStreamed || requestType !== whole ? [whole, `stream-${whole}`] : [whole]
}

const typesOf = (given: string | Types | undefined): Types =>
  (typeof given === 'string' ? given.split(',') : (given ?? []))
    .map((word) => word.trim())
    .filter((word) => word !== '')

const checkWords = (words: Types, path: string): void => {
  const unknown = words.find((word) => !(TYPES as Types).includes(word))
  if (unknown !== undefined) {
    throw new InvalidParameters([{ path, message: `has '${unknown}'; each must be one of: ${TYPES.join(', ')}` }])
  }
}

const overlap = (allowed: Types, blocked: Types): string | undefined => allowed.find((word) => blocked.includes(word))
