import { fromPieces } from '../../core/bodies/ready-stream.ts'
import { NO_GUARDRAILS } from '../../core/guardrails.ts'
import { NO_LIMITS } from '../../core/limits.ts'
import { createLocalCache, createLocalFlags, NO_CONFIGS, NO_PROMPTS, NO_RECORDS } from '../../core/local-stores.ts'
import { KEEP_NO_BODIES } from '../../core/log-settings.ts'
import type { LoginAnswer, LoginRequest } from '../../core/logins.ts'
import { NO_MCP_SERVERS } from '../../core/mcp/ask.ts'
import { NO_METRICS } from '../../core/metrics.ts'
import type { LogFields, SpanHandle, UpstreamRequest, UpstreamResponse } from '../../core/ports.ts'
import { NO_PRICES, NO_STORED_PRICES } from '../../core/prices.ts'
import { UpstreamUnreachable } from '../../errors/gateway-error.ts'
import { NO_INNER_CALLS } from '../inner-calls.ts'
import type { Host } from '../plugin.ts'

/** One line of the operator's log, as a fake host keeps it. */
export interface FakeLogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields?: LogFields
}

/** A host whose every answer is known beforehand, and which keeps what a plugin told it. */
export interface FakeHost extends Host {
  readonly logLines: FakeLogLine[]
  readonly callRecords: LogFields[]
  readonly trusted: string[]
  /** Moves both clocks forward; nothing else does. */
  advance(ms: number): void
}

/** Where the clocks of a fake host stand at first: milliseconds since 1970, and monotonic ones. */
export const FAKE_NOW_MS = 1_700_000_000_000
export const FAKE_MONOTONIC_MS = 1_000

const silentSpan: SpanHandle = { set: () => undefined, fail: () => undefined, end: () => undefined }

const sendNothing = (request: UpstreamRequest): Promise<UpstreamResponse> =>
  Promise.reject(new Error(`the fake host has no upstream: ${request.method} ${request.url}`))

const loginNowhere = ({ method, url }: LoginRequest): Promise<LoginAnswer> =>
  Promise.reject(new UpstreamUnreachable(`the fake host has no login service: ${method} ${url}`))

const readNothing = (path: string): Promise<string> => Promise.reject(new Error(`the fake host has no file: ${path}`))

const grantNothing = (): never => {
  throw new Error('the fake host gives checks no powers')
}

const noEndpoint = (id: string): never => {
  throw new Error(`the fake host has no endpoint '${id}'`)
}

const NO_FILES: Host['files'] = {
  create: () => Promise.reject(new Error('a fake host keeps no files')),
  find: async () => undefined,
  list: async () => ({ files: [], hasMore: false }),
  delete: async () => false,
  open: () => fromPieces([]),
}

const NO_BATCHES: Host['batches'] = {
  create: () => Promise.reject(new Error('a fake host runs no batches')),
  find: async () => undefined,
  list: async () => ({ batches: [], hasMore: false }),
  cancel: async () => undefined,
}

const NOTHING_KEPT: Host['keptResponses'] = {
  keep: () => undefined,
  find: async () => undefined,
  conversation: async () => [],
  delete: async () => false,
}

/**
 * Makes a deterministic Host: clocks that stand still, ids that count up, no keys, no providers, no way out. Every
 * custom host is trusted.
 * @param overrides capabilities that the test brings itself.
 */
export const fakeHost = (overrides: Partial<Host> = {}): FakeHost => {
  const logLines: FakeLogLine[] = []
  const callRecords: LogFields[] = []
  const trusted: string[] = []
  let passedMs = 0
  let ids = 0
  let draws = 0
  const monotonicMs = (): number => FAKE_MONOTONIC_MS + passedMs
  const keep = (level: FakeLogLine['level']) => (message: string, fields?: LogFields) => {
    logLines.push(fields === undefined ? { level, message } : { level, message, fields })
  }
  return {
    clock: { now: () => FAKE_NOW_MS + passedMs, monotonicMs },
    log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
    callLog: (record) => {
      callRecords.push(record)
    },
    tracing: { start: () => silentSpan, traceparent: () => undefined },
    upstream: { send: sendNothing },
    logins: { send: loginNowhere, readFile: readNothing, environment: {} },
    keys: { find: () => undefined },
    stored: { find: () => undefined, models: () => [] },
    configs: NO_CONFIGS,
    prompts: NO_PROMPTS,
    limits: NO_LIMITS,
    flags: createLocalFlags(monotonicMs),
    cache: createLocalCache(monotonicMs),
    semanticIndex: undefined,
    keptResponses: NOTHING_KEPT,
    files: NO_FILES,
    batches: NO_BATCHES,
    innerCalls: NO_INNER_CALLS,
    publicUrl: undefined,
    mcp: NO_MCP_SERVERS,
    records: NO_RECORDS,
    bodyRules: KEEP_NO_BODIES,
    prices: NO_PRICES,
    storedPrices: NO_STORED_PRICES,
    readFile: readNothing,
    metrics: NO_METRICS,
    providers: { get: () => undefined, list: () => [] },
    endpoints: { get: noEndpoint, list: () => [] },
    bridges: { from: () => [] },
    checks: { get: () => undefined, list: () => [] },
    guardrails: NO_GUARDRAILS,
    checkPowers: { grant: grantNothing },
    resilience: {
      useRetryAfterHeader: true,
      streamRecovery: 'continue',
      skipMalformedEvent: true,
      firstToken: { minMs: 10_000, unknownMs: 15_000, thinkingMs: 120_000 },
      silence: { ms: 20_000, thinkingMs: 60_000 },
    },
    deadlines: { connectMs: 5_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 900_000 },
    randomId: () => {
      ids++
      return `00000000-0000-4000-8000-${ids.toString(16).padStart(12, '0')}`
    },
    // Evenly spread, and the same each time (golden ratio sequence).
    random: () => {
      draws++
      return (draws * 0.618_033_988_749_895) % 1
    },
    checkCustomHost: (url) => url.replace(/\/+$/, ''),
    trustOwnServer: (hostAndPort) => {
      trusted.push(hostAndPort)
    },
    ...overrides,
    logLines,
    callRecords,
    trusted,
    advance: (ms) => {
      passedMs += ms
    },
  }
}
