import {
  askingCheck,
  batchLine,
  callerBudgets,
  callerKeys,
  callerLimits,
  dryRun,
  innerCall,
  keyDefaults,
} from '#calls/slots'
import { type Call, definePlugin, ExpiredApiKey, GatewayError, InvalidApiKey, ScopeMissing, type Stage, t } from '#kit'
import type { CalledPlace, FoundKey, KeyDirectory } from '#kit/plugin'
import { gatewayHeaders, issuedToken, principal, trace } from '#kit/slots'
import { Credentials } from './credentials.ts'
import { RequestGatewayHeaders } from './gateway-headers.ts'
import { readTraceIds } from './trace-ids.ts'

/** Who calls: reads the gateway key or token, finds it in memory, checks its expiry and scope. There is no way to switch it off. */
export default definePlugin({
  name: 'auth',
  config: t.Object({
    headerPrefixes: t.Array(t.String({ pattern: '^[a-z0-9-]+-$', minLength: 3, maxLength: 64 }), {
      default: [],
      description:
        'Header prefixes read as `x-gateway-`, lower case with the closing dash; answers then carry the caller’s prefix too. WEIR_HEADER_PREFIXES adds to them.',
    }),
    callerKeys: t.Optional(
      t.Union([t.Literal('prefer'), t.Literal('fallback'), t.Literal('never')], {
        description:
          'What becomes of a provider key that a call brings, where the gateway knows one: `prefer` uses that of the call, `fallback` uses it only where the gateway knows none, `never` looks at no keys of callers at all. Left out: it wins over `apiKey` of a provider that is named by itself, unless it is a placeholder, and gives way to the key of a stored provider or a saved config.',
      }),
    ),
  }),
  needs: ['clock', 'keys', 'randomId'],
  setup({ headerPrefixes, callerKeys: policy }, { clock, keys, randomId }) {
    const auth: Stage = {
      name: 'auth',
      async run(call, next) {
        const { headers } = call.request
        const fields = headers.toJSON()
        const named = new RequestGatewayHeaders(fields, headerPrefixes)
        call.set(gatewayHeaders, named)
        const ids = readTraceIds(headers, named, randomId)
        call.set(trace, ids)
        call.replyHeaders.set('x-gateway-trace-id', ids.traceId)

        const credentials = new Credentials(fields, named, call.request.search, policy)
        call.set(callerKeys, credentials)
        let found: FoundKey
        try {
          const known = callerOf(call) ?? findKey(keys, credentials, call.request)
          // Nearly always it is known at once.
          const own = known instanceof Promise ? await known : known
          found = own ?? (await keys.findOther?.(call.request)) ?? notKnown(credentials)
          if (found.expiresAtMs !== undefined && found.expiresAtMs <= clock.now()) {
            throw new ExpiredApiKey('The gateway key has expired.')
          }
        } catch (thrown) {
          throw challenged(thrown, keys.challenge?.(call.request, credentials.candidates.length > 0))
        }
        call.set(principal, found.principal)
        const token = found.isIssued === true ? (found.issuedToken ?? credentials.settled) : undefined
        if (token !== undefined) call.set(issuedToken, token)
        call.set(keyDefaults, found.defaults ?? NO_DEFAULTS)
        call.set(callerLimits, found.limits ?? NO_LIMITS)
        call.set(callerBudgets, found.budgets ?? NO_BUDGETS)
        const { scopes } = call.endpoint
        if (found.principal.workspaceId === undefined) {
          throw new ScopeMissing('This is an organisation key: calls to models need a key of a workspace.')
        }
        if (!scopes.some((scope) => found.principal.scopes.has(scope))) {
          throw new ScopeMissing(`The gateway key lacks the scope ${scopes.join(' or ')}.`)
        }
        // Only now is the body read: nobody unknown can make the gateway hold one.
        const askedMs = clock.monotonicMs()
        await call.request.body.load()
        call.countTime('parsingMs', clock.monotonicMs() - askedMs)
        // Awaited here, the answer is three turns of the queue less away than a promise that is handed on.
        return await next()
      },
    }
    return { stages: [auth] }
  },
})

const NO_DEFAULTS = {}
const NO_LIMITS: readonly never[] = []
const NO_BUDGETS: readonly never[] = []

/** Who is known already, for a call that no client makes. */
const callerOf = (call: Call): FoundKey | undefined =>
  (call.find(dryRun) ?? call.find(askingCheck) ?? call.find(batchLine) ?? call.find(innerCall))?.caller

const findKey = (
  keys: KeyDirectory,
  credentials: Credentials,
  place: CalledPlace,
): ReturnType<KeyDirectory['find']> => {
  return findFrom(0, keys, credentials, place)
}

/** The first candidate that is known. Nearly always there is one, and it is known at once. */
const findFrom = (
  index: number,
  keys: KeyDirectory,
  credentials: Credentials,
  place: CalledPlace,
): FoundKey | undefined | Promise<FoundKey | undefined> => {
  const key = credentials.candidates[index]
  if (key === undefined) return undefined
  const settle = (found: FoundKey | undefined): FoundKey | undefined | Promise<FoundKey | undefined> => {
    if (found === undefined) return findFrom(index + 1, keys, credentials, place)
    credentials.settle(key)
    return found
  }
  const found = keys.find(key, place)
  return found instanceof Promise ? found.then(settle) : settle(found)
}

/** Tells whoever brought no good key where one can be had. */
const challenged = (thrown: unknown, challenge: string | undefined): unknown => {
  const isUnknown = thrown instanceof InvalidApiKey || thrown instanceof ExpiredApiKey
  if (!isUnknown || challenge === undefined) return thrown
  const headers = new Headers({ 'www-authenticate': challenge })
  return new GatewayError(thrown.code, thrown.message, { ...thrown.options, headers })
}

const notKnown = ({ candidates }: Credentials): never => {
  if (candidates.length > 0) throw new InvalidApiKey('The gateway key is not known here.')
  throw new InvalidApiKey(
    'No gateway key: send it in `x-gateway-api-key`, or alone in `Authorization: Bearer <key>`, `x-api-key`, `api-key`, `x-goog-api-key` or `?key=`.',
  )
}
