import type { Answer } from '../core/bodies/answer.ts'
import type { OwnedBudgets } from '../core/budgets.ts'
import type { GuardrailUses, HookReport } from '../core/guardrails.ts'
import type { HeaderFields } from '../core/header-fields.ts'
import type { OwnedLimits } from '../core/limits.ts'
import type { BodyPolicy } from '../core/log-settings.ts'
import type { StoredPrompt, UpstreamRequest } from '../core/ports.ts'
import { defineSlot } from '../core/slot.ts'
import type { Usage } from '../core/usage.ts'
import type { GatewayError } from '../errors/gateway-error.ts'
import type { OwnFileContent } from './own-files.ts'
import type { CachePolicy, Leaf, Plan } from './plan.ts'
import type { Provider } from './provider/provider.ts'

/** Who calls: the record of the gateway key, without the key. */
export interface Principal {
  readonly keyId: string
  readonly keyName: string
  readonly kind: 'organisation-service' | 'workspace-service' | 'workspace-user'
  readonly organisationId: string
  /** Absent for an organisation key, which never reaches a model. */
  readonly workspaceId?: string
  readonly userId?: string
  /** True for a token of an issuer, whose subject `keyId` is then, or for an app that a person lets act: `keyId` is no key of ours. */
  readonly isForeign?: true
  readonly scopes: ReadonlySet<string>
  /** What is kept of the messages of its calls. Absent: as its workspace says. */
  readonly bodies?: BodyPolicy
}

/** The token of an issuer of the operator's that a call came with, for whoever is to get it too. Never to be written down. */
export const issuedToken = defineSlot<string>('issued-token', 'auth')

/** Gateway headers of the call by their name without prefix, whichever prefix the client used. */
export interface GatewayHeaders {
  get(name: string): string | undefined
  /** The operator's alias prefix that the client used, if it did: answers carry it too. */
  aliasPrefix(): string | undefined
  /** Whether a header of this name, in lower case, is one of the gateway's, under any prefix. */
  owns(name: string): boolean
}

/** What the call asks for besides its body: the config object of the interface, resolved. */
export interface CallConfig {
  /** Where the call may go. */
  readonly plan: Plan
  /**
   * Makes the target of a leaf for this call: provider, key, host, settings, parameters. The same one each time.
   * @throws a catalogue error for a leaf that this call cannot be sent to; it ends a chain of targets.
   */
  bind(leaf: Leaf): Target | Promise<Target>
  /** Bound already, for a plan of one leaf. */
  readonly only?: Target | undefined
  /** Metadata of the call, for the log and for limits. */
  readonly metadata: Readonly<Record<string, string>>
  /** Model that the request names, without a provider in front of it. */
  readonly model?: string | undefined
  /** Id and slug of the saved config it came from. */
  readonly id?: string | undefined
  readonly slug?: string | undefined
  /** Version of that saved config. */
  readonly versionId?: string | undefined
}

/** A prompt with its variables filled in, as the request that it stands for. */
export interface RenderedPrompt {
  readonly prompt: StoredPrompt
  readonly endpoint: 'chat' | 'completions'
  /** Saved parameters, those of the call over them, and `messages` or `prompt`. */
  readonly params: Readonly<Record<string, unknown>>
}

/** One place a call may be sent to. */
export interface Target {
  /** Path in the config as the answer names it: `config` or `config.targets[0]`. */
  readonly path: string
  readonly provider: Provider
  /** Provider key of this call; absent means that the provider's own from the operator's file is used. Empty: none, and not that one either. */
  readonly apiKey?: string | undefined
  /** `apiKey` is what the call brought, although the target is a stored provider. */
  readonly isCallersKey?: true | undefined
  /** Base URL instead of the provider's. */
  readonly customHost?: string | undefined
  /** The caller named that host, in a header or in the config of the call: what it reports may be the caller's own words. */
  readonly isCallersHost?: true | undefined
  /** Its own prompt, whose parameters take the place of the call's. */
  readonly prompt?: RenderedPrompt | undefined
  /** Slug of the stored provider that it was made from. */
  readonly storedProvider?: string | undefined
  /** Model that it will be asked for, as far as it is known before the request is translated. */
  readonly model?: string | undefined
  /** Limits of the stored provider. */
  readonly limits?: OwnedLimits | undefined
  /** Whether a model may be used, where only some may. */
  readonly allows?: ((model: string) => boolean) | undefined
  /** Budgets of the stored provider, and of what its workspace may spend at the integration. */
  readonly budgets?: readonly OwnedBudgets[] | undefined
  /** The target is called without a key, also where the provider usually needs one: its headers are all it gets. */
  readonly withoutKey?: true | undefined
  /** Headers for the provider that are stored with the target. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly overrideParams?: Readonly<Record<string, unknown>> | undefined
  readonly defaultParams?: Readonly<Record<string, unknown>> | undefined
  readonly dropParams?: readonly string[] | undefined
  /** Names of client headers that go to the provider as they are; lower case. */
  readonly forwardHeaders: readonly string[]
  readonly strict: boolean
  /** The caller wants the provider's own word for why an answer ended. */
  readonly ownFinishReason?: true | undefined
  /** Milliseconds until the first byte, asked for by the call; passing it is a 408. */
  readonly requestTimeoutMs?: number | undefined
  /** Milliseconds until the first meaningful piece of an answer; passing it leaves the call to the next target. */
  readonly firstTokenTimeoutMs?: number | undefined
  /** What an attempt was given at first, where a stage made another one of it. */
  readonly origin?: Target | undefined
  /** What it is asked instead of what the call asks for, as a guardrail changed it: the parameters of its config are in it already. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Guardrails of its config. */
  readonly guardrails?: GuardrailUses | undefined
  /** Answers of this target may come from the cache. */
  readonly cache?: CachePolicy | undefined
}

/** The request as the provider shall get it, made by `transform` and sent by `provider-call`. */
export interface ProviderRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  readonly body?: UpstreamRequest['body']
  readonly upgrade?: UpstreamRequest['upgrade']
  readonly asItIs?: UpstreamRequest['asItIs']
  readonly stream: boolean
  /** It goes without the provider's credentials. */
  readonly withoutKey?: true | undefined
  /** The service that it is for, where that is another one than the provider's own. */
  readonly service?: string | undefined
  /** It goes to another host than the provider's own: what leads there serves the workspace of the call alone. */
  readonly isElsewhere?: true | undefined
  /**
   * The call is made of several requests: makes them, and the answer of all. Then only the headers of this one count, which all
   * of them begin with.
   * @param send a request as it is, with its credentials
   */
  readonly perform?: ((send: SendRequest) => Promise<Answer>) | undefined
}

/** Sends one request of several. */
export type SendRequest = (request: ProviderRequest) => Promise<Answer>

/** Trace of the call: W3C ids and the interface's own. */
export interface TraceIds {
  /** `x-gateway-trace-id`: given or generated, echoed in the answer. */
  readonly traceId: string
  readonly spanId?: string | undefined
  readonly parentSpanId?: string | undefined
  readonly spanName?: string | undefined
}

/** A call that goes to the provider as it came: only its credentials are changed. Set before `config`. */
export interface PassThrough {
  /** Below the base URL: empty, or begins with `/`. Checked, so that it cannot lead anywhere else. */
  readonly path?: string
  /** It is a path of the reference's interface, which the provider may have at another place (`referencePath`). */
  readonly isReference?: true
  /** Without a path: the provider's own place for this kind of call. */
  readonly vendor?: 'chat' | 'completions' | 'embeddings'
  /** Without a path: one of the provider's `places`, and what is asked for there. */
  readonly place?: { readonly name: string; readonly path: string }
  /** Empty, or begins with `?`. */
  readonly query: string
  /** Model that the path names, or a body that is no JSON object; with its provider, where that stands in front of it. */
  readonly model?: string
  /** In the place of the client's: a form whose model had a provider in front of it. */
  readonly body?: Uint8Array
  /** Host that the client named: a base URL below one of the provider's own domains (`hostSuffixes`). */
  readonly host?: string
}

/** A call of one of the old routes. Set before `config`. */
export interface LegacyCall {
  /** The config of its body: a slug, or a config of version 1.0 or 2.0. Absent: that of the headers. */
  readonly config?: unknown
  /** Metadata of the config in its body; what the headers say wins. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly cacheForceRefresh?: true
}

/** What the answer came from and lost on the way; read by `logging`. */
export interface Report {
  readonly provider: string
  readonly model: string
  readonly droppedParams: readonly string[]
  readonly stream: boolean
  /** What the provider was asked instead, as it does not have what the call asks for. */
  readonly via?: string | undefined
  /** Malformed events of a stream that were left out so far. */
  skippedEvents?: number
  /** What the answer says of itself, as far as it is here. */
  answered?: Answered
  /** What is bought besides tokens, where neither the answer nor its usage counts it. */
  bought?: Pick<Usage, 'units' | 'picture'> | undefined
}

/** What a provider says of its answer besides how many tokens it has. */
export interface Answered {
  /** Model that gave it. */
  model?: string
  /** Tier that served it, in the provider's word: `priority`, `flex`, `batch`. */
  tier?: string
  /** US dollars that it charges. */
  dollars?: number
}

/** What the cache did, in the words of the interface. */
export type CacheStatus = 'HIT' | 'SEMANTIC HIT' | 'MISS' | 'SEMANTIC MISS' | 'REFRESH' | 'DISABLED'

export interface CacheUse {
  readonly status: CacheStatus
  /** Tokens that an answer cost when it was made, where it was given again. */
  readonly tokensSaved?: number
  /** What was bought for it then, as far as the provider counted it. */
  readonly saved?: Pick<Report, 'answered' | 'bought'> & { readonly usage: Usage }
}

/** What became of one attempt, in the names of the call record. */
export interface AttemptReport {
  /** Path of the target in the config. */
  readonly path: string
  readonly provider: string
  readonly model?: string | undefined
  /** Status of the answer or the error. */
  readonly status: number
  /** Milliseconds it had to begin its answer, as another target could have taken over. */
  readonly first_token_limit_ms?: number | undefined
  /** Code of the error. */
  readonly error?: string | undefined
  /** Milliseconds until the answer began, or the attempt failed. */
  readonly ms: number
}

/** All that one target of a call was asked: retries of it are parts of one visit. Grows until the call ends; read by `logging`. */
export interface TargetVisit {
  /** Path of the target in the config. */
  readonly path: string
  readonly to: Target
  /** Milliseconds since 1970 when it began. */
  readonly timeMs: number
  /** Requests to the provider. */
  asked: number
  /** How often it was asked again. */
  retries: number
  /** Another target was asked after it, or none was left. The rest is known of what was abandoned alone. */
  isOver: boolean
  /** Its stream broke, and the client has the beginning. */
  isPart?: true
  status?: number
  error?: GatewayError | undefined
  report?: Report | undefined
  /** Where the provider was asked last. */
  url?: string | undefined
  totalMs?: number
  upstreamMs?: number
  /** What the guardrails of its last abandoned try came to. */
  guardrails?: { readonly before: readonly HookReport[]; readonly after: readonly HookReport[] } | undefined
  /** What each abandoned try used, where it used something. */
  used?: readonly { readonly usage: Usage; readonly report: Report | undefined }[]
}

export const trace = defineSlot<TraceIds>('trace', 'auth')
export const gatewayHeaders = defineSlot<GatewayHeaders>('gateway-headers', 'auth')
export const principal = defineSlot<Principal>('principal', 'auth')
export const callConfig = defineSlot<CallConfig>('call-config', 'config')
export const passThrough = defineSlot<PassThrough>('pass-through', 'pass-through')
export const legacyCall = defineSlot<LegacyCall>('legacy-call', 'a legacy route')
export const target = defineSlot<Target>('target', 'route')
/** Attempts of a call that was tried more than once, in order; grows until the call ends. */
export const attempts = defineSlot<readonly AttemptReport[]>('attempts', 'route')
/** Targets of a call that could not be sure of its first one, in the order in which they were asked. */
export const visits = defineSlot<readonly TargetVisit[]>('visits', 'route')
export const cacheUse = defineSlot<CacheUse>('cache-use', 'cache')
/** Files of Weir's own that the call names, by their ids. */
export const ownFiles = defineSlot<ReadonlyMap<string, OwnFileContent>>('own-files', 'own-files')
export const providerRequest = defineSlot<ProviderRequest>('provider-request', 'transform')
export const report = defineSlot<Report>('report', 'transform')
