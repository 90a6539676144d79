import { type AskingCheck, askingCheck } from '../../calls/slots.ts'
import { type Answer, collect } from '../../core/bodies/answer.ts'
import { isReadyStream } from '../../core/bodies/ready-stream.ts'
import { Cancellation } from '../../core/cancellation.ts'
import { defined } from '../../core/defined.ts'
import { parseJson } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'
import type { Clock, Logger } from '../../core/ports.ts'
import { toGatewayError } from '../../errors/envelope.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { RequestTimeout } from '../../errors/gateway-error.ts'
import { innerCallOf, requestOf } from '../../http/inner-call.ts'
import type { RunningRoute } from '../../http/running-route.ts'
import type { CheckCaller } from '../../kit/check.ts'
import type { ProviderDirectory, StoredProviders } from '../../kit/plugin.ts'
import { chooseProvider } from './choose-provider.ts'

type Fields = Readonly<Record<string, unknown>>

/** Bytes of the longest answer that is read. */
const MAX_BYTES = 4 * 1024 * 1024
/** The root that paths of endpoints are below. */
const ROOT = '/v1'

export interface ModelAsker {
  readonly stored: StoredProviders
  readonly providers: ProviderDirectory
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  readonly basePath: string
  /** Those that run, once all plugins are set up. */
  readonly routes: () => readonly RunningRoute[]
}

/** What a check asks of a model. */
export interface ModelQuestion {
  /** Of the endpoint: `/chat/completions`. */
  readonly path: string
  /** `@slug` of a stored provider, or id of a running one. Absent: the only one that can be asked. */
  readonly provider: string | undefined
  readonly body: Fields
}

/**
 * Makes a call of a check: through the whole chain, so that it is limited, paid for and recorded as any other of the caller is.
 * The configs of key and workspace do not hold for it, nor do guardrails, which it is a part of.
 * @throws a catalogue error; Error for an answer that is no JSON object, or no success; what the signal was aborted with, once it is
 */
export const askModel = async (
  asker: ModelAsker,
  caller: CheckCaller,
  signal: AbortSignal,
  { path, provider: named, body }: ModelQuestion,
): Promise<Fields> => {
  signal.throwIfAborted()
  const whole = `${asker.basePath}${ROOT}${path}`
  const route = asker.routes().find((each) => each.method === 'POST' && each.path === whole)
  if (route === undefined) throw new Error(`nothing is served at '${path}'`)
  const provider =
    named ?? chooseProvider(asker, caller.principal.workspaceId, route.endpoint.form ?? route.endpoint.id)
  const cancellation = new Cancellation()
  const request = requestOf(whole, headersOf(caller, provider), new TextEncoder().encode(JSON.stringify(body)))
  const call = innerCallOf(asker, route, request, cancellation)
  call.set(askingCheck, toAsking(caller))
  const leave = (): void => cancellation.abort(new RequestTimeout('The check that asked does not wait any longer.'))
  signal.addEventListener('abort', leave)
  try {
    const answer = await route.pipeline(call)
    const bytes = await bytesOf(answer)
    call.markSent(bytes.length)
    call.finish('completed', answer.status)
    return toFields(answer.status, bytes, provider)
  } catch (thrown) {
    if (thrown instanceof WrongAnswer) throw thrown
    const error = toGatewayError(thrown, call.id)
    call.finish('failed', error.status, error)
    if (error.code === 'internal_error') asker.log.error('a check could not ask a model', errorFields(thrown))
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** An own config, though it says nothing but the provider, keeps those of key and workspace away. */
const headersOf = ({ traceId }: CheckCaller, provider: string): Headers =>
  new Headers({
    'content-type': 'application/json',
    'x-gateway-config': JSON.stringify({ provider }),
    ...defined({ 'x-gateway-trace-id': traceId }),
  })

const toAsking = ({ check, principal, limits, budgets, metadata }: CheckCaller): AskingCheck => ({
  check,
  caller: { principal, defaults: { metadata: { ...metadata, _guardrail: check } }, ...defined({ limits, budgets }) },
})

const bytesOf = ({ body }: Answer): Promise<Uint8Array> | Uint8Array =>
  isReadyStream(body) ? collect(body, MAX_BYTES) : body

const toFields = (status: number, bytes: Uint8Array, provider: string): Fields => {
  const fields = parsed(bytes)
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && isRecord(fields)) return fields
  throw new WrongAnswer(`'${provider}' answered ${status}${isSuccess ? ' with what is no JSON object' : ''}`)
}

class WrongAnswer extends Error {}

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return parseJson(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
