/**
 * What providers are made of whose requests and answers have a format of their own, or whose OpenAI format differs in more
 * than parameters. Published as `weir/kit/provider`; inside the repository it is `#kit/provider`.
 */
export { type Line, LineTooLong, mapLines, readLines } from '../core/bodies/json-lines.ts'
export { base64Of, dataUrlOf, FileText, FormFile, filesOf } from '../core/forms/form-file.ts'
export { isDeeperThan } from '../core/json/json-depth.ts'
export type { LoginAnswer, LoginRequest, Logins } from '../core/logins.ts'
export { isImpossible, someTokens, tokenCount, usageFromOpenAI } from '../core/usage.ts'
export { toEnvelope } from '../errors/envelope.ts'
export type { OwnFileContent } from './own-files.ts'
export type { AnswerDialect, AnswerPlace } from './provider/amend-chat.ts'
export {
  ANTHROPIC_ERROR_STATUS,
  type MessagesBlock,
  type MessagesEvent,
  type MessagesReply,
  type MessagesRequest,
  type MessagesTokenCount,
  type MessagesTurn,
  usageFromAnthropic,
} from './provider/anthropic.ts'
export type { Bridge, BridgeStream, BridgeWords } from './provider/bridge.ts'
export {
  type ChatFields,
  FOREIGN_CHAT_PARAMS,
  OPENAI_CHAT_PARAMS,
  OPENAI_MESSAGE_FIELDS,
} from './provider/chat-fields.ts'
export { asksForFunctions } from './provider/chat-forms.ts'
export type { AdaptMessages } from './provider/chat-messages.ts'
export type { TokenCount } from './provider/count-tokens.ts'
export { wordsOf } from './provider/earlier-answer.ts'
export {
  base64Vector,
  type EmbeddingInput,
  type EmbeddingPart,
  embeddingInputs,
  embeddingsReply,
  embeddingTexts,
} from './provider/embeddings.ts'
export {
  type Exchange,
  type ExchangeAnswer,
  type ExchangeRequest,
  type Perform,
  type Performed,
  type Performing,
  performing,
  type TranslatedRequest,
} from './provider/exchange.ts'
export { clip, openaiFailure } from './provider/failure.ts'
export { type FineTuningForm, tuningJobId } from './provider/fine-tuning/adapters.ts'
export {
  fineTuningBy,
  objectsIn,
  partOfPages,
  type TuningCall,
  type TuningHost,
  type TuningPage,
} from './provider/fine-tuning/by.ts'
export {
  secondsOf,
  type TunedJob,
  type TuningCheckpoint,
  type TuningEvent,
  type TuningStatus,
  tuningMethod,
  tuningNumbers,
  wordOf,
} from './provider/fine-tuning/jobs.ts'
export { type ImageSize, imageSize, type NearestRatio, nearestRatio } from './provider/image-size.ts'
export { jsonObjectAsSchema, jsonObjectOnly } from './provider/json-format.ts'
export {
  type BatchOutputs,
  type Bucket,
  type BucketObject,
  batchInput,
  bucketFiles,
  type ObjectPage,
  objectFileId,
  outputIdOfBatch,
  uriOfFile,
} from './provider/kept/bucket-files.ts'
export {
  type BatchAdapters,
  type BatchHost,
  batchesBy,
  FILE_SETTINGS,
  type FileAdapters,
  type FileHost,
  filesBy,
  type KeptCallOf,
  type NewKeptFile,
} from './provider/kept/by.ts'
export {
  firstLine,
  type InputLine,
  type TranslatedInput,
  translatedInput,
  translateLine,
} from './provider/kept/input.ts'
export { nativeBatchOutput } from './provider/kept/native-output.ts'
export { OUTPUTS_PREFIX, readObjectName } from './provider/kept/object-names.ts'
export type { KeptBatch, KeptFile } from './provider/kept/objects.ts'
export {
  inputOfOneModel,
  leftOut,
  needSame,
  type OneModelLine,
  type OneModelOptions,
} from './provider/kept/one-model.ts'
export { type ListPage, type ListPart, type ListQuery, partOfItems } from './provider/kept/pages.ts'
export { answersOf, type BatchResult, readResult, resultLines } from './provider/kept/results.ts'
export { begunInTurn, fileForm } from './provider/kept/streams.ts'
export {
  type LoginOf,
  loginRefused,
  readToken,
  refusal as loginRefusal,
  sendLogin,
  toRecord,
} from './provider/login/login-answer.ts'
export { createTokenCache, type Login, type TokenCache } from './provider/login/token-cache.ts'
export { mapChanged } from './provider/map-changed.ts'
export type * from './provider/media.ts'
export { usageFromMedia } from './provider/media-usage.ts'
export { belowModels, modelSegment } from './provider/model-path.ts'
export { nativeAdapter } from './provider/native-adapter.ts'
export type * from './provider/openai.ts'
export { applyParams, type ParamMap, type ParamRule } from './provider/params.ts'
export type * from './provider/provider.ts'
export { adapterOf } from './provider/provider.ts'
export type * from './provider/rank.ts'
export { type RerankAnswer, rerankFields, rerankReply, rerankTexts } from './provider/rerank.ts'
export type {
  OwnResponseId,
  ResponsesEvent,
  ResponsesItem,
  ResponsesReply,
  ResponsesRequest,
  ResponsesUsage,
} from './provider/responses.ts'
export {
  CARRIED_PREFIX,
  isCarriedReasoning,
  ownItemId,
  ownResponseId,
  readOwnResponseId,
} from './provider/responses.ts'
export { messagesParams, type SealedThinking, sealThinking, unsealThinking } from './provider/sealed-thinking.ts'
export { jsonInstruction, OPENAI_STRICT } from './provider/strict-schema.ts'
export { textRerank } from './provider/text-rerank.ts'
export { OPENAI_TOOL_IDS, shortId } from './provider/tool-ids.ts'
export { transcriptFormats } from './provider/transcript-formats.ts'
export { asksForTimes, type Heard, transcriptReply } from './provider/transcript-reply.ts'
export { VLLM_FIELDS } from './provider/vllm-fields.ts'
