import { expect } from 'bun:test'
import { adaptRequest } from '../../calls/adapt.ts'
import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { type Usage, usageFromOpenAI } from '../../core/usage.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import type { AdapterContext, Failure } from '../provider/provider.ts'
import { deepFreeze } from './deep-freeze.ts'
import { written } from './files.ts'
import type { Fixture, FixtureCase } from './fixture.ts'
import {
  type AnyAdapter,
  adapterOfCase,
  CONFORM_KEY,
  contextOf,
  providerOf,
  requestOf,
  type Subject,
  settingsOf,
} from './subject.ts'

/** Value that goes over the wire: what JSON leaves out is gone. */
export const asJson = (value: unknown): unknown => {
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, field) {
    const original = this[key]
    const made = written(original)
    return made === original ? field : made
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/** Request golden, purity, and the key in none of path, URL and body. */
export const checkRequest = (subject: Subject, { name, fixture }: FixtureCase): void => {
  const provider = providerOf(subject, fixture)
  const adapter = adapterOfCase(provider, fixture)
  const context = contextOf(provider, fixture)
  const adapted = adaptRequest(adapter, requestOf(fixture.request), context)
  const again = adaptRequest(adapter, requestOf(fixture.request), context)
  expect(asJson(again), `${name}: the same request twice gives the same`).toEqual(asJson(adapted))

  const { baseURL } = adapter.baseURL === undefined ? provider : { baseURL: adapter.baseURL }
  const base = typeof baseURL === 'string' ? baseURL : baseURL(settingsOf(provider, fixture))
  expect(adapted.path, `${name}: the path begins with a slash`).toStartWith('/')
  expect(base, `${name}: the base URL has no trailing slash`).not.toEndWith('/')
  const url = new URL(`${base}${adapted.path}`)
  expect(url.origin, `${name}: the path stays on the host`).toBe(new URL(base).origin)
  expect(`${url.href} ${JSON.stringify(adapted)}`, `${name}: the key is in a header only`).not.toContain(CONFORM_KEY)

  if (adapter.wire === 'own' && adapted.body !== undefined) {
    const nulls = Object.entries(adapted.body).flatMap(([field, value]) => (value === null ? [field] : []))
    expect(nulls, `${name}: absent fields are omitted, never null`).toEqual([])
  }
  const golden = fixture.upstream
  if (golden === undefined) return
  if (golden.path !== undefined) expect(adapted.path, `${name}: path`).toBe(golden.path)
  expect(adapted.dropped, `${name}: dropped`).toEqual(golden.dropped ?? [])
  if (golden.body === undefined) return
  if (golden.body === null) expect(adapted.changed, `${name}: the bytes pass through unchanged`).toBe(false)
  else expect(asJson(adapted.body), `${name}: body`).toEqual(golden.body)
}

/** Reply golden of an answer that is nearly the reference's own. Amended once it needs no more. */
const checkAmended = (
  name: string,
  fixture: Fixture,
  adapter: AnyAdapter,
  context: AdapterContext,
  answer: unknown,
) => {
  const amendment = adapter.amend?.(context)
  const amended = amendment === undefined || !isRecord(answer) ? answer : deepFreeze(amendment.amend(answer))
  if (isRecord(amended)) expect(amendment?.amend(amended) ?? amended, `${name}: what is amended stays`).toBe(amended)
  if (fixture.reply !== undefined) expect(asJson(amended), `${name}: reply`).toEqual(fixture.reply)
  checkUsage(name, fixture, usageFromOpenAI(isRecord(amended) ? amended.usage : undefined))
  if (fixture.endpoint !== 'chat' || !isRecord(amended) || !Array.isArray(amended.choices)) return
  for (const { finish_reason, message } of amended.choices) checkForm(name, context, finish_reason, message)
}

/** Failure golden: the words for an answer that is not a success. */
export const checkFailure = (subject: Subject, { name, fixture }: FixtureCase): void => {
  const provider = providerOf(subject, fixture)
  const body = deepFreeze(fixture.answer ?? fixture.stream)
  const status = fixture.status ?? 200
  const failure = provider.failure(status, body)
  expect(words(provider.failure(status, body)), `${name}: the same failure twice gives the same`).toEqual(
    words(failure),
  )
  if (fixture.failure !== undefined) expect(words(failure), `${name}: failure`).toEqual(words(fixture.failure))
}

/** Reply golden, usage and purity of an answer that came whole. */
export const checkReply = (subject: Subject, { name, fixture }: FixtureCase): void => {
  const provider = providerOf(subject, fixture)
  const adapter = adapterOfCase(provider, fixture)
  const answer = deepFreeze(fixture.answer)
  const context = contextOf(provider, fixture)
  const { reply: replyOf } = adapter
  if (replyOf === undefined) {
    expect(adapter.wire, `${name}: an adapter without reply speaks the client's form itself`).toBe('native')
    if (fixture.failure !== undefined) checkFailure(subject, { name, fixture })
    else checkAmended(name, fixture, adapter, context, answer)
    return
  }
  const asked = requestOf(fixture.request)
  const toReply = (body: unknown, of: AdapterContext) => replyOf(body, of, asked)
  if (fixture.failure !== undefined) {
    checkThrown(
      name,
      fixture.failure,
      thrownBy(() => toReply(answer, context)),
    )
    return
  }
  const { reply, usage } = toReply(answer, context)
  expect(asJson(toReply(answer, context)), `${name}: the same answer twice gives the same`).toEqual(
    asJson({ reply, usage }),
  )
  checkUsage(name, fixture, usage)
  const reported = usageFromOpenAI(reply.usage)
  if (usage !== undefined && reported !== undefined) {
    expect(totals(reported), `${name}: the reply's usage and the normal form agree`).toEqual(totals(usage))
  }
  if (fixture.reply !== undefined) expect(asJson(reply), `${name}: reply`).toEqual(fixture.reply)
  if (fixture.endpoint !== 'chat') return
  for (const { finish_reason, message } of reply.choices) {
    checkForm(name, context, finish_reason, message)
  }
}

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter']

/** The finish reason is one of the reference's unless the client asked for others; no content blocks with strict compliance. */
export const checkForm = (
  name: string,
  { strict, ownFinishReason }: AdapterContext,
  finishReason: string | null,
  message: object,
): void => {
  if (ownFinishReason !== true && finishReason !== null) {
    expect(FINISH_REASONS, `${name}: finish_reason`).toContain(finishReason)
  }
  if (strict) expect(message, `${name}: no content_blocks with strict compliance`).not.toHaveProperty('content_blocks')
}

export const checkUsage = (name: string, fixture: Fixture, usage: Usage | undefined): void => {
  if (fixture.usage !== undefined) expect(asJson(usage), `${name}: usage`).toEqual(asJson(fixture.usage))
}

export const totals = ({ inputTokens, outputTokens, totalTokens }: Usage) => ({
  inputTokens,
  outputTokens,
  totalTokens,
})

/** The error of an answer that began as a success. */
export const checkThrown = (name: string, golden: NonNullable<Fixture['failure']>, thrown: unknown): void => {
  if (!(thrown instanceof GatewayError)) {
    throw new Error(`${name}: expected the provider's error, got ${describeThrown(thrown)}`, { cause: thrown })
  }
  const { type, param, wireCode, extra } = thrown.options
  const failure = words(
    defined({ message: thrown.message, type: type ?? null, param: param ?? null, code: wireCode ?? null, extra }),
  )
  expect(failure, `${name}: failure`).toEqual(words(golden))
  if (golden.status !== undefined) expect(thrown.status, `${name}: status of the failure`).toBe(golden.status)
}

/** Runs a function that shall throw, and gives what it threw. */
export const thrownBy = (run: () => unknown): unknown => {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
  return undefined
}

/** One line about anything that was thrown. */
export const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : `no error: ${String(thrown)}`

const words = ({ message, type, param, code, extra }: Failure) => ({
  message,
  type: type ?? null,
  param: param ?? null,
  code: code ?? null,
  extra: extra ?? {},
})
