/**
 * What happened, as it is kept: one flat record for a call, and one for each further attempt. Stages make them
 * (`plugins/pipeline/logging`), the spool keeps them through crashes (`src/records/spool`), stores answer questions about them.
 */

import type { BudgetCharge } from './budgets.ts'
import type { RecordedHookResults } from './guardrails.ts'

/** What a record is about. `logged`: a call that was made elsewhere and handed in. Kinds of later routes are named already. */
export const RECORD_KINDS = ['call', 'attempt', 'logged', 'batch', 'realtime', 'mcp', 'guardrail'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** How a recorded call ended. `interrupted`: its process died before it did. */
export type RecordOutcome = 'completed' | 'failed' | 'client_closed' | 'truncated' | 'interrupted'

/** Integers of 10⁻¹² US dollars: money never goes through fractions. Up to 9,007 dollars a record. */
export type Picodollars = number

/** Cost of a call in its parts. They add up to `total`. */
export interface RecordedCost {
  readonly total: Picodollars
  readonly input: Picodollars
  readonly output: Picodollars
  /** Cached tokens, read and written. */
  readonly cache: Picodollars
  /** Searches, images, seconds, characters, pages, … */
  readonly other: Picodollars
}

/**
 * One record. Absent is unknown, never zero. Times are microseconds. A call that was tried once has one record; one that was
 * tried more often has its own (`kind: 'call'`, `attempt: 0`), which counts in sums, and one for each attempt
 * (`kind: 'attempt'`, from 1), which does not.
 */
export interface CallRecord {
  /** UUIDv7 of its start. For the call itself the id of the call, as clients see it. */
  readonly id: string
  /** Id of the call that it belongs to: its own, unless it is an attempt. */
  readonly callId: string
  readonly kind: RecordKind
  readonly attempt: number
  /** Microseconds since 1970 when it began. */
  readonly time: number
  readonly organisationId: string
  readonly workspaceId: string
  readonly apiKeyId?: string | undefined
  readonly userId?: string | undefined

  readonly traceId: string
  readonly spanId?: string | undefined
  readonly parentSpanId?: string | undefined
  readonly spanName?: string | undefined

  readonly method: string
  /** Path of the request without its query, as the client wrote it. */
  readonly path: string
  /** Where the provider was asked, without query and credentials. */
  readonly sentUrl?: string | undefined
  /** Id of the endpoint: `chat`. */
  readonly endpoint: string
  /** Word of the interface: `chatComplete`. */
  readonly requestType: string
  readonly isPassThrough?: boolean | undefined
  readonly stream: boolean

  /** Id of the provider plugin. */
  readonly provider?: string | undefined
  /** Slug of the stored provider. */
  readonly storedProvider?: string | undefined
  /** Model as the request names it. */
  readonly modelAsked?: string | undefined
  /** Model that the provider was asked for, or says it was. */
  readonly model?: string | undefined

  readonly configId?: string | undefined
  readonly configSlug?: string | undefined
  readonly configVersionId?: string | undefined
  /** Strategy of the config: `single`, `fallback`, `loadbalance`, … */
  readonly mode?: string | undefined
  /** Path of the target in the config whose answer was used: `config.targets[0]`. */
  readonly optionPath?: string | undefined
  readonly promptId?: string | undefined
  readonly promptSlug?: string | undefined
  readonly promptVersionId?: string | undefined

  /** What the client saw; of an attempt, what the provider answered. */
  readonly status: number
  readonly outcome: RecordOutcome
  /** It was completed, with a status below 400. */
  readonly success: boolean
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  /** Requests to providers in all. */
  readonly attempts: number
  /** Of them, those that asked the same target again. */
  readonly retries: number
  /** Another target than the first gave the answer. */
  readonly fallback: boolean

  readonly cacheStatus?: 'HIT' | 'SEMANTIC HIT' | 'MISS' | 'SEMANTIC MISS' | 'REFRESH' | 'DISABLED' | undefined
  /** Cost of the answer when it was made, of one that was given again. */
  readonly savedCost?: Picodollars | undefined
  readonly savedTokens?: number | undefined

  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  readonly cachedInputTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
  readonly audioInputTokens?: number | undefined
  readonly audioOutputTokens?: number | undefined
  readonly imageInputTokens?: number | undefined
  readonly imageOutputTokens?: number | undefined
  /** What is counted besides tokens: `web_search`, `image`, `second`, `character`, `page`, `query`, … */
  readonly units?: Readonly<Record<string, number>> | undefined
  /** Weir counted, as the provider did not. */
  readonly estimated?: boolean | undefined
  /** Absent where nothing was bought, and where the price is not known: `unpriced` is true then. */
  readonly cost?: RecordedCost | undefined
  readonly unpriced?: boolean | undefined
  /** Where the price came from: `table:2026-11-22`, `file`, `integration`, `provider`. */
  readonly priceId?: string | undefined
  /** What the call added to budgets. On the record of the call itself; the ledger counts it, stores of records leave it out. */
  readonly charges?: readonly BudgetCharge[] | undefined

  /** Microseconds from the arrival of the request to its last byte. */
  readonly totalUs: number
  readonly firstByteUs?: number | undefined
  /** Reading the request, as long as its client takes to send it, and taking its JSON apart. */
  readonly parsingUs?: number | undefined
  /** Before the first provider was asked, or to the end where none was, without parsing and the cache. */
  readonly beforeUs?: number | undefined
  readonly cacheUs?: number | undefined
  /** From asking providers until their answers began or, whole ones, were here. */
  readonly upstreamUs?: number | undefined
  /** From the provider's last byte to the client's. */
  readonly afterUs?: number | undefined

  /** Ids of limits that refused the call, and of those in shadow mode that would have. */
  readonly refusedBy?: readonly string[] | undefined
  readonly shadowRefusals?: readonly string[] | undefined
  readonly droppedParams?: readonly string[] | undefined
  /** Labels of the call, as limits see them. `_user` is the user of analytics. */
  readonly metadata: Readonly<Record<string, string>>
  readonly bytesIn?: number | undefined
  readonly bytesOut?: number | undefined
  /** Name and version of the client library, and what it runs on. */
  readonly sdk?: string | undefined
  readonly runtime?: string | undefined
  /** Bodies were kept beside it. */
  readonly hasBodies?: boolean | undefined
  /** What guardrails came to, in the names of the interface. What their checks said stands with the messages. */
  readonly hookResults?: RecordedHookResults | undefined
}

/**
 * Which message a body is. `sent` and `received` are the provider's side, where it differs from the client's; `hooks` is what
 * guardrails said, with all that their checks did.
 */
export const BODY_SIDES = ['request', 'answer', 'sent', 'received', 'hooks'] as const
export type BodySide = (typeof BODY_SIDES)[number]

/** A message of a call: its headers, masked, and what is kept of its body. */
export interface RecordedMessage {
  readonly side: BodySide
  readonly headers: Readonly<Record<string, string>>
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  /** Text of the body, as UTF-8. Absent: none, left out by the policy, or that of the client's side. */
  readonly body?: Uint8Array | undefined
  /** There was more of it. */
  readonly truncated?: boolean | undefined
}

/** The messages of one record, sealed for its workspace: nobody but the gateway can open them. */
export interface SealedBodies {
  readonly recordId: string
  readonly organisationId: string
  readonly workspaceId: string
  /** Of the record, in microseconds: its day says where it lies. */
  readonly time: number
  readonly sealed: Uint8Array
}

/** What somebody thought of the answers of a trace. A change is a further row with the same id; the last one counts. */
export interface FeedbackRecord {
  readonly id: string
  /** Microseconds since 1970. */
  readonly time: number
  readonly organisationId: string
  readonly workspaceId: string
  readonly traceId: string
  /** Integer, −10 to 10. */
  readonly value: number
  /** 0 to 1. */
  readonly weight: number
  readonly metadata: Readonly<Record<string, string>>
  readonly apiKeyId?: string | undefined
}

/** A call that was admitted and may cost something. Where its end is never written it becomes a record of its own, `interrupted`. */
export interface OpenedCall
  extends Pick<
    CallRecord,
    | 'id'
    | 'time'
    | 'organisationId'
    | 'workspaceId'
    | 'apiKeyId'
    | 'traceId'
    | 'method'
    | 'path'
    | 'endpoint'
    | 'requestType'
    | 'stream'
    | 'provider'
    | 'model'
    | 'metadata'
  > {
  /** What budgets hold back for it. It is taken as spent where the end of the call is never written. */
  readonly held?: readonly BudgetCharge[] | undefined
}

/** Keeps what happened. Nothing here throws or waits: what cannot be kept is counted, and said aloud. */
export interface CallRecorder {
  /**
   * Makes ready to keep bodies of a workspace. A promise only for the first call of an organisation.
   * Awaited before `close` gets messages.
   */
  prepare(organisationId: string, workspaceId: string): Promise<void> | undefined
  open(call: OpenedCall): void
  /**
   * What a call spent whose `close` has to wait: budgets count it from now on.
   * @param endedUs as its record will have it
   * @returns ends that, right before `close`
   */
  announce(workspaceId: string, charges: readonly BudgetCharge[], endedUs: number): () => void
  /** The end of a call: before its last byte goes out. Its own record first, then those of its attempts. */
  close(records: readonly CallRecord[], messages?: ReadonlyMap<string, readonly RecordedMessage[]>): void
  /** With a durability of `strict`: settles once all that was written so far would survive the loss of power. */
  durable(): Promise<void> | undefined
  feedback(rows: readonly FeedbackRecord[]): void
  /** Settles once all that was written so far is in the store, or `withinMs` have passed. @returns whether it is */
  stored(withinMs: number): Promise<boolean>
}

/** Takes the records of calls elsewhere. A plugin brings it; it runs behind the calls, on a queue with a bound. */
export interface CallSink {
  /** Unique, kebab-case; its name in logs and metrics. */
  readonly name: string
  /**
   * Rejects when the records could not be taken: they are counted as lost for this sink.
   * @param messages of records by their ids, for a sink with `takesMessages`: masked, as far as they are kept
   */
  write(
    records: readonly CallRecord[],
    messages?: ReadonlyMap<string, readonly RecordedMessage[]>,
  ): void | Promise<void>
  /** Gets what was asked and answered as well. */
  readonly takesMessages?: true
  flush?(): Promise<void>
  close?(): Promise<void>
}
