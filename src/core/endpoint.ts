import type { GatewayError } from '../errors/gateway-error.ts'
import type { PipeMachine } from './bodies/pipe.ts'
import type { SseEvent } from './bodies/sse.ts'
import type { Call, CallRequest } from './call.ts'
import type { EndpointTexts } from './guardrails.ts'
import type { Stage } from './pipeline.ts'
import type { SessionForm, SessionTimes } from './session.ts'
import type { Usage } from './usage.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where clients find an endpoint. */
export interface EndpointRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below a root; `:name` stands for a segment, `*` at the end for any rest. */
  readonly path: string
  /** Beginnings of the path that clients may write in front of it. Absent: each version root. */
  readonly roots?: readonly string[]
}

/** That something is on its way out, and what takes its place. Every answer of it says so. */
export interface Deprecation {
  /** Seconds since 1970 (RFC 9745). */
  readonly since: number
  /** Path of the route to use instead, below the operator's prefix: `/v1/chat/completions`. */
  readonly successor: string
}

/** What a file of a form may be. */
export interface FileRule {
  /** Default false. */
  readonly required?: boolean
  /** Most files under this name; more than one come as a list, under `name` or `name[]`. Default 1. */
  readonly max?: number
  /** What its content type may begin with, besides none and `application/octet-stream`: `audio/`. Absent: anything. */
  readonly types?: readonly string[]
  readonly description?: string
}

/**
 * What a call brings: nothing, one JSON object, a form with files, bytes, or whatever a provider takes (`any`), which is read as
 * JSON where it can be.
 */
export type EndpointBody =
  | { readonly kind: 'none' | 'bytes' }
  | {
      readonly kind: 'any'
      /** JSON Schema of what is usually sent, for the description of the interface: nothing is checked against it. */
      readonly schema?: object
    }
  | {
      /** `multipart/form-data`: its fields are the parameters, and so are its files (`FormFile`). */
      readonly kind: 'multipart'
      /** JSON Schema of the fields that are looked at, as what they stand for (numbers, lists, …); others are texts and pass. */
      readonly schema: object
      /** Files by the names of their parts. */
      readonly files: Readonly<Record<string, FileRule>>
      /** Checks the fields and files that go to a provider. @throws InvalidRequest naming the part */
      check(params: Fields): void
    }
  | {
      readonly kind: 'json'
      /** JSON Schema of the fields that are looked at; others pass. */
      readonly schema: object
      /** Checks a body that goes to a provider. @throws InvalidRequest naming the field */
      check(params: Fields): void
    }

/** An answer with every choice finished, which can be given plain or as a stream. */
export interface WholeAnswer {
  readonly answer: Fields
  /** The stream that it could have been; a chunk with usage only when the answer has one too. */
  chunks(includeUsage: boolean): Iterable<object>
}

/** Puts the chunks of a stream together. */
export interface Collector {
  /** @throws Error for what is no chunk, or cannot be put together */
  add(chunk: Fields): void
  /** @throws Error when it is no answer */
  whole(): unknown
}

/** What one event of a stream means for the call. */
export interface EventNote {
  /** UTF-8 bytes of what the model says in it: text, reasoning, arguments of tools. */
  readonly textBytes?: number | undefined
  /** Of the answer so far. */
  readonly usage?: Usage | undefined
  /** With `usage`: the object that has it, which may name the model and its tier too. */
  readonly answer?: Fields | undefined
  /** It is the provider's word that it failed: the body of an error, as `failure` of the provider reads it. */
  readonly error?: unknown
  /** With `error`: a client that has the beginning of the answer gets the event itself too, before ours. */
  readonly isShown?: boolean | undefined
  /** The answer is complete with this event. */
  readonly isEnd?: boolean | undefined
  /** It only announces an answer: what fails behind it can still be asked of another target. */
  readonly isSilent?: boolean | undefined
}

/** Follows a stream event by event. @throws SyntaxError for data that is not JSON where that matters */
export type StreamWatch = (event: SseEvent) => EventNote | undefined

/** How whole answers and streams of one wire form become each other. */
export interface AnswerForm {
  /** Undefined for what is not a whole answer. */
  read(body: unknown): WholeAnswer | undefined
  collector(): Collector
  /** A chunk as an event, with the empty line behind it. Absent: its JSON as `data`. */
  write?(chunk: object): string
  /** What stands behind the last event of a stream. Absent: `data: [DONE]`. */
  readonly last?: string
  /**
   * Follows a stream of a provider that speaks this form itself. Absent: as chats and text completions are followed.
   * @param params what the call asks for
   */
  watch?(params: Fields): StreamWatch
  /** Bytes of the largest event of such a stream. Absent: 4 MiB, more than any text. */
  readonly maxEventBytes?: number
  /** A provider may answer whole although a stream was asked for: the client gets it as the stream that it could have been. */
  readonly mayBeWhole?: true
  /** Makes a stream of the bytes that a provider gives instead of events. */
  ofBytes?(params: Fields): PipeMachine
}

/** What is answered as text or bytes. */
export interface RawReply {
  /** Its content type. */
  readonly type: string
  readonly body: string | Uint8Array
}

/** How errors look in a wire form. */
export interface ErrorForm {
  body(error: GatewayError, requestId: string): object
  /** In a stream that has begun: an event with the empty line behind it. */
  event(error: GatewayError, requestId: string): string
}

/** What comes back: JSON; JSON or, with `stream: true`, events; bytes of any kind; or another protocol. */
export type EndpointAnswer =
  | { readonly kind: 'json'; readonly schema: object }
  | {
      readonly kind: 'events'
      readonly schema: object
      readonly form: AnswerForm
      /** Whether a call asks for events. Absent: with `stream: true`. */
      isStreamed?(params: Fields): boolean
      /**
       * For a call that asks for neither JSON nor events, but for text or bytes: makes them of a whole answer. Those of a
       * provider that gives them itself pass as they come.
       */
      raw?(params: Fields): ((reply: Fields) => RawReply) | undefined
    }
  | {
      readonly kind: 'bytes'
      /** How messages are read where the connection goes on as a WebSocket. Absent: they are not. */
      readonly session?: SessionForm
    }
  | { readonly kind: 'upgrade'; readonly session: SessionForm; readonly times: SessionTimes }

/** A model of the gateway's own list. */
export interface ListedModel {
  /** `@provider/model`, as calls name it. */
  readonly id: string
  /** Its name at its provider. */
  readonly slug: string
  /** The model that it was made of, where it is one of the caller's own; else `slug`. */
  readonly canonicalSlug: string
  /** Slug of the stored provider, or id of the running one. */
  readonly provider: string
  /** Id of the running provider behind it. */
  readonly aiService: string
}

/** All there is to know of a kind of call. Stages read it; none of them names one. */
export interface Endpoint {
  /** Unique, kebab-case; its name in records. */
  readonly id: string
  /** Its place in the description of the interface. Absent: it is described by the routes that lead to it. */
  readonly described?: { readonly operationId: string; readonly summary: string } | undefined
  readonly routes: readonly EndpointRoute[]
  /** Its routes are on their way out. */
  readonly deprecated?: Deprecation | undefined
  /** Stages of its calls alone, right before `config` unless the default order knows their name. */
  readonly stages?: readonly Stage[] | undefined
  /** Any one of these is enough. */
  readonly scopes: readonly string[]
  /** Words that conditions know its calls by; the first stands for all of them. */
  readonly requestTypes: readonly [string, ...string[]]
  /** The word of a call. */
  requestTypeOf(call: Call): string
  /** `gen_ai.operation.name` of its spans. */
  readonly operation: string
  /** Wire form that its clients speak. Absent: what they send and get is not translated. */
  readonly form?: string | undefined
  readonly body: EndpointBody
  readonly answer: EndpointAnswer
  /** Absent: OpenAI's form, in a stream as `data`. */
  readonly errors?: ErrorForm | undefined
  /** Header, besides `x-request-id`, in which its clients look for the id of an answer; lower case. */
  readonly requestIdHeader?: string | undefined
  /** What is answered for a provider that can be asked in no way: an estimate, which is marked as one. */
  answersItself?(params: Fields): Fields
  /**
   * What a call asks for, where some of it stands in its path or query: `model` and `stream` above all, which stages look for by
   * these names. Absent: just what its body says.
   */
  paramsOf?(body: Fields, request: Pick<CallRequest, 'params' | 'query'>): Fields
  /** Names of fields that only `paramsOf` adds: what is sent in this form does not have them. */
  readonly notInBody?: readonly string[] | undefined
  /** The call is for a model. */
  readonly hasModel: boolean
  /** What it is about is kept at one provider: a config of several targets is refused. */
  readonly singleTarget?: true | undefined
  /**
   * Makes the answer from the gateway's own list of models, for a call that names no provider.
   * @returns undefined for a call that only a provider can answer
   */
  fromCatalogue?(call: Call): ((models: readonly ListedModel[]) => Fields) | undefined
  /** Limits apply, and tokens are counted. */
  readonly isCounted: boolean
  /** How an answer may be found again: by the same request, or by one that means the same too. */
  readonly cache: 'never' | 'simple' | 'semantic'
  /** Whether the answer of this call may be. Absent: of any. */
  isCacheable?(call: Call): boolean
  /** When a call may make a further request. `spooled`: where a body that streams was kept; `never`: one is all. */
  readonly replay: 'always' | 'spooled' | 'never'
  /** What takes the place of a stream that breaks: another answer from its beginning, or the rest of this one. */
  readonly recovery: readonly ('restart' | 'continue')[]
  /** How long a target usually takes is remembered. */
  readonly learnsPatience: boolean
  /** Fields of the body that a model reads. */
  readonly reads: readonly string[]
  /** Where its texts stand. Absent: guardrails look at none of its texts. */
  readonly texts?: EndpointTexts | undefined
  /** A model writes the answer, token by token. */
  readonly isWritten: boolean
  /** Answers that must finish. */
  choicesOf(params: Fields): number
  /** Usage that an answer in its form reports. */
  usageOf(answer: Fields): Usage | undefined
  /**
   * What a call buys besides tokens. Absent: nothing.
   * @param answer absent for one that is no JSON, or comes as a stream
   */
  boughtBy?(asked: Fields, answer: Fields | undefined): Pick<Usage, 'units' | 'picture'> | undefined
}

/** Whether a call's answer comes in events. */
export const isStreamed = ({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>): boolean =>
  endpoint.answer.kind === 'events' && (endpoint.answer.isStreamed?.(params) ?? params.stream === true)

/** Every endpoint that is served. Complete once all plugins are set up, so look up at call time, not in `setup`. */
export interface EndpointDirectory {
  /** @throws Error for one that no plugin brings */
  get(id: string): Endpoint
  list(): readonly Endpoint[]
}
