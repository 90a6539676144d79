/** All that a plugin may import. Published as `weir/kit`; inside the repository it is `#kit`. */
export { type Static, type TObject, Type as t } from '@sinclair/typebox'
export { type Accumulator, createAccumulator } from '../calls/accumulate.ts'
export { createTextAccumulator, type TextAccumulator } from '../calls/accumulate-text.ts'
export { type AdaptedRequest, adaptRequest } from '../calls/adapt.ts'
export { answerTextBytes } from '../calls/answer-text.ts'
export { mergeUsage, usageOfAny } from '../calls/any-usage.ts'
export { compileConfig } from '../calls/config/compile.ts'
export { completePlan, type PlanDefaults } from '../calls/config/complete.ts'
export { type ConditionQuery, type ConditionSubject, compileQuery, SEARCH_STEPS } from '../calls/config/conditions.ts'
export type { ConfigNode } from '../calls/config/fields.ts'
export { isForwardable } from '../calls/config/forwardable.ts'
export { MAX_MODEL_CHARACTERS, type ModelName, splitModel } from '../calls/config/model-name.ts'
export type * from '../calls/config/plan.ts'
export { toCache, toRetry } from '../calls/config/policies.ts'
export { type ReadOptions, readCallConfig } from '../calls/config/read.ts'
export { type ConfigChange, isVersion1, type MigratedConfig, migrateConfig } from '../calls/config/version-1.ts'
export { estimateInputTokens, estimateOutputTokens, maxOutputTokens, textTokens } from '../calls/estimate-tokens.ts'
export { forwardedHeaders } from '../calls/forwarded-headers.ts'
export { answeringWithFunctions } from '../calls/function-answers.ts'
export { LEGACY_SINCE, type LegacyRouteOptions, legacyRoute } from '../calls/legacy-route.ts'
export { asksNoModel, checkPath, readPassThrough, readPath, restOfPath } from '../calls/pass-through/pass-through.ts'
export { setPassedHeaders, settingNamesOf } from '../calls/passed-headers.ts'
export { type PromptInput, readPromptInput } from '../calls/prompt/input.ts'
export { type RenderedPrompt, renderPrompt } from '../calls/prompt/render.ts'
export { becomePrompt, promptReference, renderForCall } from '../calls/prompt/run.ts'
export { StepBudget } from '../calls/step-budget.ts'
export { applyTargetParams, requestParams } from '../calls/target-params.ts'
export * from '../calls/template/index.ts'
export { countPrompts } from '../calls/text-prompts.ts'
export { boundedUsage } from '../calls/usage-bounds.ts'
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
export type { AnswerDialect, AnswerPlace } from './amend-chat.ts'
export { bearer, keyInHeader } from './authorize.ts'
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
export { clip, openaiFailure } from './failure.ts'
export { jsonInstruction } from './json-instruction.ts'
export { mapChanged } from './map-changed.ts'
export type * from './openai.ts'
export { type OpenAICompatibleOptions, openaiCompatible } from './openai-compatible.ts'
export { applyParams, type ParamMap, type ParamResult, type ParamRule } from './params.ts'
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
export { OPENAI_STRICT, type StrictSubset } from './strict-schema.ts'
export { OPENAI_TOOL_IDS, shortId } from './tool-ids.ts'
