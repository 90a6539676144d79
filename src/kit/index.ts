/**
 * The contract of plugins: all that a stage, a route or an OpenAI-compatible provider is made of. Published as `weir/kit`;
 * inside the repository it is `#kit`. What providers of a format of their own need besides stands in `weir/kit/provider`.
 */
export { type Static, type TObject, Type as t } from '@sinclair/typebox'
export { type Answer, collect } from '../core/bodies/answer.ts'
export { Pipe, type PipeMachine, type PipeOut } from '../core/bodies/pipe.ts'
export { fromPieces, fromReader, isReadyStream, nextPiece, type ReadyStream } from '../core/bodies/ready-stream.ts'
export { DONE_EVENT, decodeFrame, encodeEvent, eventText, type SseEvent, SseFramer } from '../core/bodies/sse.ts'
export type { Call, CallRequest } from '../core/call.ts'
export { defined } from '../core/defined.ts'
export {
  type AnswerForm,
  type Collector,
  type Deprecation,
  type Endpoint,
  type EndpointDirectory,
  type ErrorForm,
  type EventNote,
  isStreamed,
  type StreamWatch,
  type WholeAnswer,
} from '../core/endpoint.ts'
export type { Finish, Outcome } from '../core/finish.ts'
export type { CheckStage } from '../core/guardrails.ts'
export type { HeaderFields } from '../core/header-fields.ts'
export { check } from '../core/json/check.ts'
export { parseJson } from '../core/json/json-depth.ts'
export { isRecord } from '../core/json/record.ts'
export type { Next, Stage } from '../core/pipeline.ts'
export type {
  AnswerCache,
  Clock,
  Deadlines,
  Logger,
  SharedFlags,
  Upstream,
  UpstreamRequest,
  UpstreamResponse,
} from '../core/ports.ts'
export type { CallRecord, CallSink } from '../core/records.ts'
export type { Route } from '../core/route.ts'
export { defineSlot, type Slot } from '../core/slot.ts'
export type { Usage } from '../core/usage.ts'
export { toEnvelope } from '../errors/envelope.ts'
export * from '../errors/gateway-error.ts'
export { logWords } from '../errors/log-words.ts'
export {
  type Check,
  type CheckCredentials,
  type CheckInput,
  type CheckPowers,
  type CheckRequest,
  type CheckResponse,
  type CheckVerdict,
  defineCheck,
  InvalidParameters,
  type PreparedCheck,
} from './check.ts'
export { defineEndpoint, type EndpointDefinition } from './endpoint.ts'
export { formBody } from './form-body.ts'
export { jsonBody, maybe, worded } from './json-body.ts'
export { type Capability, definePlugin, type Host, type Parts, type Placement, type Plugin } from './plugin.ts'
export { bearer, keyInHeader } from './provider/authorize.ts'
export { type OpenAICompatibleOptions, openaiCompatible } from './provider/openai-compatible.ts'
export type { Provider } from './provider/provider.ts'
export { providerConfig } from './provider/provider-config.ts'
