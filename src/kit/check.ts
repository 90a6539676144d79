import type { Static, TObject } from '@sinclair/typebox'
import type { OwnedBudgets } from '../core/budgets.ts'
import type { CheckStage, TextKind } from '../core/guardrails.ts'
import type { OwnedLimits } from '../core/limits.ts'
import type { TextEdits } from '../core/text-edits.ts'
import type { Violation } from '../errors/gateway-error.ts'
import type { Principal } from './slots.ts'

type Fields = Readonly<Record<string, unknown>>

/** A piece of a text that is still being said. */
export interface TextPart {
  /** More of the text stands before it. */
  readonly hasBefore: boolean
  /** More of the text will follow. */
  readonly hasAfter: boolean
}

/** What a check looks at. Nothing in it may be changed. */
export interface CheckInput {
  readonly stage: CheckStage
  /** What was said: the last turn of the request, or what was answered. In a stream: the part that is looked at. */
  readonly texts: readonly string[]
  /** What each of them is. */
  readonly kinds: readonly TextKind[]
  /**
   * In a stream: what surrounds the part that is looked at. Absent: the texts are whole. What stands at an edge behind which
   * more was said, or will be, is looked at again with its surroundings.
   */
  readonly part?: TextPart | undefined
  /** Body of the request, or of the answer. Of a stream: what is known of the answer. May be worked out when it is read. */
  readonly json: Fields
  /** What was asked, also for a check of the answer. */
  readonly request: { readonly texts: readonly string[]; readonly json: Fields }
  /** Of the answer. */
  readonly status?: number | undefined
  readonly metadata: Readonly<Record<string, string>>
  /** Headers of the client. The gateway's own key is never among them. */
  readonly headers: { get(name: string): string | null }
  /** The word of policies for this kind of call: `chatComplete`. */
  readonly requestType: string
  /** Id of the provider. */
  readonly provider: string
  /** Model that is asked for. */
  readonly model: string | undefined
  readonly isStreamed: boolean
  /** An earlier check of the same stage has changed texts or body. */
  readonly isTransformed: boolean
  /** Trace of the call. */
  readonly traceId: string | undefined
}

/** What a check says. */
export interface CheckVerdict {
  readonly verdict: boolean
  /** Why: any JSON. */
  readonly data?: unknown
  /** Texts instead of those that it was given: as many, in the same order. */
  readonly texts?: readonly string[] | undefined
  /**
   * What is to be changed in each text, in place of `texts`: in its order, none over another. A check with `reach` says so: of two
   * texts alone nobody can tell which of two equal passages was changed.
   */
  readonly edits?: readonly TextEdits[] | undefined
  /** A body instead of the one that it was given. Wins over `texts` and `edits`; never in a stream. */
  readonly json?: Fields | undefined
  /** It could not decide: why, for people. The verdict is its word for that case: true lets the call pass. */
  readonly error?: Error | undefined
  /** For the log of the call. */
  readonly log?: unknown
}

/** An HTTP request of a check. */
export interface CheckRequest {
  /** Default `GET`, with a body `POST`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: string | Uint8Array | Fields
  /** Bytes of the largest answer that is read. Default 1 MiB. */
  readonly maxBytes?: number
}

export interface CheckResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly bytes: Uint8Array
  text(): string
  /** @throws SyntaxError */
  json(): unknown
}

/** Account of a partner that the workspace has stored: key and settings of a provider of this name. */
export interface CheckCredentials {
  /** Of the stored provider: models there are asked as `@slug`. */
  readonly slug: string
  /** Empty when it has none. */
  readonly apiKey: string
  readonly settings: Readonly<Record<string, string>>
  /** Headers that are stored with it, for every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Base URL that is stored with it. */
  readonly customHost?: string | undefined
}

/** What a check can do besides thinking; it gets what it asks for in `needs`. All end with the deadline of the check. */
export interface CheckPowers {
  /** Aborted when the deadline of the check passes or the call is over. */
  readonly signal: AbortSignal
  /** Asks a server, through the egress guard: no private address unless the operator trusts it. @throws a catalogue error */
  fetch(url: string, request?: CheckRequest): Promise<CheckResponse>
  /** Whether a name is known to the name service. */
  resolves(hostname: string): Promise<boolean>
  /**
   * Account of a partner: that of the stored provider `slug`, or the only one of the workspace whose provider is one of these.
   * @throws Error that says what to store where there is none
   */
  credentials(providerIds: readonly string[], slug?: string): Promise<CheckCredentials>
  /**
   * Asks a model of the workspace, through the gateway's own chain, without guardrails. Its calls are recorded and paid for by
   * the workspace, with the metadata `_guardrail`: the id of the check.
   * @param path of the endpoint: `/chat/completions`, `/moderations`
   * @param provider `@slug` of a stored provider, or id of a running one. Undefined: the only one that can be asked this way
   * @throws Error for an answer that is no 2xx, and where there is no such provider, or more than one
   */
  ask(path: string, provider: string | undefined, body: Fields): Promise<Fields>
}

/** On whose behalf a check runs. */
export interface CheckCaller {
  /** With a workspace: calls without one reach no model. */
  readonly principal: Principal
  /** Id of the check. */
  readonly check: string
  /** Trace of the call, which its own calls belong to. */
  readonly traceId: string | undefined
  /** Metadata of the call, which its own calls have too. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Limits and budgets of the key and its workspace: they hold for its own calls too. */
  readonly limits?: readonly OwnedLimits[] | undefined
  readonly budgets?: readonly OwnedBudgets[] | undefined
}

/** Gives checks their powers. */
export interface CheckPowersSource {
  /** Reaching for one that is not among the needs throws an Error that says what to write. */
  grant(needs: readonly CheckPower[], caller: CheckCaller, signal: AbortSignal): CheckPowers
}

export type CheckPower = Exclude<keyof CheckPowers, 'signal'>

/** A check with its parameters, ready to run for any number of calls at once. */
export interface PreparedCheck {
  /** What it throws or rejects with counts as its error, and so does its deadline: the verdict is true then, unless it fails closed. */
  run(input: CheckInput, powers: CheckPowers): CheckVerdict | Promise<CheckVerdict>
  /**
   * Characters of the longest text that it refuses or changes. A check with it can look at a stream piece by piece: what it
   * refuses in a part it refuses in the whole, and what it lets pass stays so whatever follows. Absent: it needs all of the text.
   */
  readonly reach?: number
  /** A check that could not decide refuses. */
  readonly failsClosed?: boolean
  /** Milliseconds. Default that of the check. */
  readonly deadlineMs?: number
}

/** A kind of check, as a plugin brings it. */
export interface Check {
  /** `<who>.<what>`: `acme.noShouting`. */
  readonly id: string
  /** One sentence: when it passes. */
  readonly summary: string
  readonly parameters: TObject
  readonly stages: readonly CheckStage[]
  /**
   * `texts`: it runs where there are any. `request`: it looks at the request besides its texts (model, metadata, headers, kind),
   * and runs on every call to a provider, before it. Default `texts`.
   */
  readonly reads?: 'texts' | 'request'
  readonly needs?: readonly CheckPower[]
  /** Milliseconds it may take. Default 5000. */
  readonly deadlineMs?: number
  /**
   * Makes it ready: patterns are compiled here. Parameters have been checked, and have their defaults.
   * @throws InvalidParameters
   */
  prepare(parameters: Fields): PreparedCheck
}

/** Parameters that fit their schema and cannot be used all the same: a pattern that does not compile, a schema that is none. */
export class InvalidParameters extends Error {
  readonly violations: readonly Violation[]

  /** @param violations by paths within the parameters: `rule` */
  constructor(violations: readonly Violation[]) {
    super(violations.map(({ path, message }) => `${path} ${message}`).join('; '))
    this.name = 'InvalidParameters'
    this.violations = violations
  }
}

/** A check as its file says it: with `run`, or with `prepare` where something can be done once for all calls. */
export type CheckOf<Parameters extends TObject> = Omit<Check, 'parameters' | 'prepare'> & {
  readonly parameters: Parameters
} & (
    | { prepare(parameters: Static<Parameters>): PreparedCheck }
    | { run(input: CheckInput, parameters: Static<Parameters>, powers: CheckPowers): ReturnType<PreparedCheck['run']> }
  )

/**
 * Gives a check its types.
 *
 * @example
 * defineCheck({
 *   id: 'acme.noShouting',
 *   summary: 'Passes unless a text is all capitals.',
 *   parameters: t.Object({ minLength: t.Integer({ default: 10 }) }),
 *   stages: ['input', 'output'],
 *   run: ({ texts }, { minLength }) => ({
 *     verdict: !texts.some((text) => text.length >= minLength && text === text.toUpperCase()),
 *   }),
 * })
 */
export const defineCheck = <Parameters extends TObject>(definition: CheckOf<Parameters>): Check => {
  if ('prepare' in definition) return { ...definition, prepare: (parameters) => definition.prepare(parameters) }
  const { run, ...rest } = definition
  return { ...rest, prepare: (parameters) => ({ run: (input, powers) => run(input, parameters, powers) }) }
}

/** Every check that runs. Complete once all plugins are set up, so look up at call time, not in `setup`. */
export interface CheckDirectory {
  get(id: string): Check | undefined
  list(): readonly Check[]
}
