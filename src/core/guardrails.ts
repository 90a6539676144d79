import type { Violation } from '../errors/gateway-error.ts'
import type { SseEvent } from './bodies/sse.ts'

type Fields = Readonly<Record<string, unknown>>

/** When a check runs: on what is asked, before a provider is; or on what was answered. */
export type CheckStage = 'input' | 'output'

/** What a text is: words of a message, thoughts of a model, or what goes to tools and comes back. */
export type TextKind = 'text' | 'reasoning' | 'tool-arguments' | 'tool-result'

/** A place of text in a body. */
export interface TextPlace {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly kind: TextKind
  /** Keys and indexes from the body to the text: `['messages', 2, 'content', 0, 'text']`. */
  readonly path: readonly (string | number)[]
  readonly text: string
  /** It is an object that stands in the body as a value (arguments of a tool in Anthropic's form): a change must be one again. */
  readonly isJson?: true
  /** Path of what spells the text once more, token by token: it is emptied once the text is another. */
  readonly tokens?: readonly (string | number)[] | undefined
}

/** A piece of a text in one event of a stream. */
export interface TextPiece extends TextPlace {
  /** The text that it is a piece of, by a name that no other text of the stream has: choice, item, kind. */
  readonly track: string
  /**
   * It says all of the track's text: again, as the last events of a Response do, or for the first time. Absent: it is added to
   * what came before.
   */
  readonly isWhole?: true
}

/** One event of a stream, read. */
export interface ReadEvent {
  readonly name: string
  /** Its data. Not to be changed. */
  readonly fields: Fields
  readonly pieces: readonly TextPiece[]
  /**
   * Texts that stop with this event, by their tracks: it closes them, or the choice begins to say something of another kind.
   * Some hosts go on with one all the same: it is the same text then. `all`: the answer is complete.
   */
  readonly ends?: readonly string[] | 'all' | undefined
}

/** The texts of a stream of events, as clients get it. One for each stream: it may remember what went by. */
export interface StreamTexts {
  /** Its last events say its texts again, as a whole. */
  readonly saysAgain?: boolean | undefined
  /** Undefined for an event without JSON, such as `[DONE]`. @throws SyntaxError */
  read(event: SseEvent): ReadEvent | undefined
  /**
   * The events that end the stream where the rest of it is withheld, as they are written: open blocks are closed, the finish
   * reason is `content_filter` or the form's word for it. The event of the error itself is written by the door behind them.
   * @param last the last event that went out, as `read` gave it
   */
  withhold(last: ReadEvent | undefined): string
}

/** Where the texts of an endpoint stand: what guardrails look at and may change. */
export interface EndpointTexts {
  /**
   * What the last turn of a request says: the last message of the user, with the results of tools that stand right before it as
   * one, and with an instruction or the beginning of an answer that stands behind it; the whole input where there are no turns.
   * Pictures and sound are left out.
   */
  asked(params: Fields): readonly TextPlace[]
  /** What a whole answer says, of all choices. Absent: answers have no text, as vectors. */
  answered?(answer: Fields): readonly TextPlace[]
  /** Absent: never streamed. */
  stream?(params: Fields): StreamTexts
  /** A whole answer in the form of the endpoint that says just this. Absent: a refusal is always an error. */
  say?(text: string, about: { readonly id: string; readonly model: string; readonly created: number }): Fields
}

/** What one check of a guardrail came to, in the names of the interface. */
export interface CheckReport {
  readonly id: string
  readonly name?: string | undefined
  /** True also for one that failed by itself: `error` is set then. */
  readonly verdict: boolean
  /** What the check says of its verdict. May repeat words of the call: it is kept only where its messages are. */
  readonly data?: unknown
  readonly transformed: boolean
  /** Milliseconds. */
  readonly execution_time: number
  /** ISO 8601. */
  readonly created_at: string
  readonly error?: { readonly name: string; readonly message: string } | undefined
  readonly log?: unknown
}

/** What one guardrail came to, in the names of the interface. */
export interface HookReport {
  readonly id: string
  readonly name?: string | undefined
  readonly type: 'guardrail' | 'mutator'
  readonly verdict: boolean
  readonly transformed: boolean
  readonly deny: boolean
  readonly async: boolean
  readonly checks: readonly CheckReport[]
  readonly feedback: {
    readonly value: number
    readonly weight: number
    /** `successfulChecks`, `failedChecks`, `erroredChecks`: ids, joined by commas. */
    readonly metadata: Readonly<Record<string, string>>
  } | null
  /** Milliseconds. */
  readonly execution_time: number
  readonly created_at: string
}

/** `hook_results` of the interface. */
export interface HookResults {
  readonly before_request_hooks: readonly HookReport[]
  readonly after_request_hooks: readonly HookReport[]
}

/** What is kept of a check in a record: nothing that could repeat words of the call. */
export type RecordedCheck = Omit<CheckReport, 'data' | 'log' | 'error'> & { readonly error?: { readonly name: string } }

export type RecordedHook = Omit<HookReport, 'checks'> & { readonly checks: readonly RecordedCheck[] }

export interface RecordedHookResults {
  readonly before_request_hooks: readonly RecordedHook[]
  readonly after_request_hooks: readonly RecordedHook[]
}

/** Guardrails that did not pass. Undefined: all did, or none has run. */
export const failedHooks = (results: RecordedHookResults | undefined): readonly RecordedHook[] | undefined => {
  if (results === undefined) return undefined
  const failed = [...results.before_request_hooks, ...results.after_request_hooks].filter(({ verdict }) => !verdict)
  return failed.length === 0 ? undefined : failed
}

/** What is written to the trace of a call when a guardrail passes or fails. */
export interface FeedbackAction {
  /** −10 to 10. */
  readonly value: number
  /** 0 to 1. */
  readonly weight: number
  /** A note, or labels. */
  readonly metadata: string | Readonly<Record<string, string>>
}

/** One check of a guardrail, as it is stored or stands in a config. */
export interface CheckDefinition {
  readonly id: string
  readonly name?: string | undefined
  /** As given: what is left out is filled in when the check is prepared. */
  readonly parameters: Fields
  /** Default true. */
  readonly is_enabled: boolean
}

/** What a guardrail does to a stream: look at it when it has passed; hold a window of it back; or all of it. */
export type StreamMode = 'after' | 'window' | 'buffer'

/** A guardrail, in the names of the interface: its checks, and what becomes of their verdicts. */
export interface GuardrailDefinition {
  readonly type: 'guardrail' | 'mutator'
  readonly checks: readonly CheckDefinition[]
  /** A failed check refuses the call: 446. */
  readonly deny: boolean
  /** Its checks run beside the call and only report. */
  readonly async: boolean
  /** Its checks run one after the other, each on the texts that the one before left. */
  readonly sequential: boolean
  /** A refusal is answered as 200, with its message as the answer. */
  readonly soft_deny_200: boolean
  readonly stream_mode: StreamMode
  /** Characters that `window` holds back. */
  readonly stream_window: number
  readonly on_success?: { readonly feedback: FeedbackAction } | undefined
  readonly on_fail?: { readonly feedback: FeedbackAction } | undefined
}

/** Characters that a stream in the mode `window` is held back by, unless the guardrail says otherwise. */
export const DEFAULT_STREAM_WINDOW = 200

/** What a config or a workspace wants to be checked: a stored guardrail, or one that is written out. */
export type GuardrailUse =
  | { readonly kind: 'stored'; readonly reference: string; readonly path: string }
  | {
      readonly kind: 'inline'
      readonly id: string
      readonly name?: string
      readonly definition: GuardrailDefinition
      readonly path: string
    }

/** Guardrails of a target, by when they run. */
export interface GuardrailUses {
  readonly input: readonly GuardrailUse[]
  readonly output: readonly GuardrailUse[]
}

/** A guardrail that is kept, in its current version: the same object as long as that is the current one. */
export interface StoredGuardrail {
  readonly id: string
  readonly slug: string
  readonly versionId: string
  readonly name: string
  /** Whose it is: what the organisation's have changed, the workspace's get. */
  readonly scope: 'organisation' | 'workspace'
  /** `mcp_tools`: for calls of tools over MCP; it never runs on calls of models. */
  readonly target: 'llm' | 'mcp_tools'
  readonly definition: GuardrailDefinition
  /** Why it cannot run: what is sealed in it does not open. Calls that take it fail: they must not go on without it. */
  readonly failure?: unknown
}

/** Guardrails that hold for every call of a workspace, in order: those of the organisation, then its own. */
export interface DefaultGuardrails {
  readonly input: readonly StoredGuardrail[]
  readonly output: readonly StoredGuardrail[]
}

/** The guardrails of every workspace, in memory. */
export interface StoredGuardrails {
  /** @param reference id or slug, of one of the workspace or of its organisation */
  find(workspaceId: string, reference: string): StoredGuardrail | undefined
  /** The same object as long as nothing of it changes. Those of the organisation from which the workspace is exempt are left out. */
  defaultsOf(workspaceId: string): DefaultGuardrails
}

export const NO_DEFAULT_GUARDRAILS: DefaultGuardrails = { input: [], output: [] }

export const NO_GUARDRAILS: StoredGuardrails = { find: () => undefined, defaultsOf: () => NO_DEFAULT_GUARDRAILS }

/** What is wrong with a check of a guardrail. Paths begin with the check's own: `parameters.rule`. */
export type CheckViolations = readonly Violation[]
