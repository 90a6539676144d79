/** All that a plugin may import. Published as `weir/kit`; inside the repository it is `#kit`. */
export { type Static, type TObject, Type as t } from '@sinclair/typebox'
export type { Answer, ByteStream } from '../core/answer.ts'
export { collect, collectUpTo, concat, isByteStream } from '../core/answer.ts'
export type { Call, CallRequest } from '../core/call.ts'
export { defined } from '../core/defined.ts'
export type { Endpoint } from '../core/endpoint.ts'
export type { Finish, Outcome } from '../core/finish.ts'
export { type HeaderFields, HeaderList } from '../core/header-fields.ts'
export { isDeeperThan, MAX_JSON_DEPTH, parseJson } from '../core/json-depth.ts'
export { countKeys } from '../core/json-object.ts'
export { holdsEncoded, holdsKey, isKey, percentDecoded } from '../core/key-form.ts'
export type {
  AdmitOptions,
  CallAccount,
  CallFacts,
  LimitExplanation,
  OwnedLimits,
  OwnLimit,
  RateLimits,
  Spent,
  TargetFacts,
  TokenForecast,
} from '../core/limits.ts'
export { createLocalFlags } from '../core/local-stores.ts'
export type { Next, Stage } from '../core/pipeline.ts'
export type {
  AnswerCache,
  CallLog,
  Clock,
  Deadlines,
  Logger,
  Resilience,
  SemanticIndex,
  SharedFlags,
  Similar,
  SpanHandle,
  StoredConfig,
  StoredConfigs,
  StoredPartial,
  StoredPrompt,
  StoredPrompts,
  Tracing,
  Upstream,
  UpstreamRequest,
  UpstreamResponse,
} from '../core/ports.ts'
export { LATER, type ReadyStream, readReady, readyStream, type Taken } from '../core/ready-stream.ts'
export { isRecord } from '../core/record.ts'
export type { Deprecation, Route } from '../core/route.ts'
export type { ChosenRoute, RouteExplanation, RouteStep } from '../core/route-explanation.ts'
export { defineSlot, type Slot } from '../core/slot.ts'
export {
  DONE_EVENT,
  decodeFrame,
  encodeEvent,
  eventText,
  KEEP_ALIVE_COMMENT,
  type SseEvent,
  SseFramer,
} from '../core/sse.ts'
export { trimSlashes } from '../core/trim-slashes.ts'
export { addUsage, isImpossible, tokenCount, type Usage, usageFromOpenAI } from '../core/usage.ts'
export * from '../errors/gateway-error.ts'
export { logWords } from '../errors/log-words.ts'
export { thinks } from '../models/thinking.ts'
export { type Accumulator, createAccumulator } from './accumulate.ts'
export { createTextAccumulator, type TextAccumulator } from './accumulate-text.ts'
export { type AdaptedRequest, adaptRequest } from './adapt.ts'
export type { AnswerDialect, AnswerPlace } from './amend-chat.ts'
export { answerTextBytes } from './answer-text.ts'
export { mergeUsage, usageOfAny } from './any-usage.ts'
export { bearer, keyInHeader } from './authorize.ts'
export { compileConfig } from './call-config/compile.ts'
export { completePlan, type PlanDefaults } from './call-config/complete.ts'
export { type ConditionQuery, type ConditionSubject, compileQuery, SEARCH_STEPS } from './call-config/conditions.ts'
export type { ConfigNode } from './call-config/fields.ts'
export { isForwardable } from './call-config/forwardable.ts'
export { MAX_MODEL_CHARACTERS, type ModelName, splitModel } from './call-config/model-name.ts'
export type * from './call-config/plan.ts'
export { toCache, toRetry } from './call-config/policies.ts'
export { type ReadOptions, readCallConfig } from './call-config/read.ts'
export { type ConfigChange, isVersion1, type MigratedConfig, migrateConfig } from './call-config/version-1.ts'
export {
  type ChatFields,
  FOREIGN_MESSAGE_FIELDS,
  OPENAI_CHAT_PARAMS,
  OPENAI_MESSAGE_FIELDS,
} from './chat-fields.ts'
export { asksForFunctions, plainForms } from './chat-forms.ts'
export type { AdaptMessages } from './chat-messages.ts'
export { type CheckResult, check, nearest } from './check.ts'
export { wordsOf } from './earlier-answer.ts'
export { estimateInputTokens, estimateOutputTokens, maxOutputTokens, textTokens } from './estimate-tokens.ts'
export { clip, openaiFailure } from './failure.ts'
export { forwardedHeaders } from './forwarded-headers.ts'
export { answeringWithFunctions } from './function-answers.ts'
export { jsonInstruction } from './json-instruction.ts'
export { LEGACY_SINCE, type LegacyRouteOptions, legacyRoute } from './legacy-route.ts'
export { mapChanged } from './map-changed.ts'
export type * from './openai.ts'
export { type OpenAICompatibleOptions, openaiCompatible } from './openai-compatible.ts'
export { applyParams, type ParamMap, type ParamResult, type ParamRule } from './params.ts'
export { asksNoModel, checkPath, readPassThrough, readPath, restOfPath } from './pass-through.ts'
export { setPassedHeaders, settingNamesOf } from './passed-headers.ts'
export {
  definePlugin,
  type FoundKey,
  type Host,
  type KeyDefaults,
  type KeyDirectory,
  type Parts,
  type Placement,
  type Plugin,
  type ProviderDirectory,
  type StoredTarget,
  type StoredTargets,
} from './plugin.ts'
export { type PromptInput, readPromptInput } from './prompt/input.ts'
export { type RenderedPrompt, renderPrompt } from './prompt/render.ts'
export { becomePrompt, promptReference, renderForCall } from './prompt/run.ts'
export * from './prompt-template/index.ts'
export type {
  Adapter,
  AdapterContext,
  Amendment,
  ChunkOf,
  Credentials,
  EndpointName,
  EndpointTypes,
  Failure,
  PrefixedRequest,
  Provider,
  ReplyOf,
  RequestOf,
  StreamMachine,
} from './provider.ts'
export { providerConfig } from './provider-config.ts'
export { StepBudget } from './step-budget.ts'
export { OPENAI_STRICT, type StrictSubset } from './strict-schema.ts'
export { applyTargetParams, requestParams } from './target-params.ts'
export { countPrompts } from './text-prompts.ts'
export { OPENAI_TOOL_IDS, shortId } from './tool-ids.ts'
export { boundedUsage } from './usage-bounds.ts'
