import type { Static, TObject } from '@sinclair/typebox'
import type { OwnedBudgets } from '../core/budgets.ts'
import type { CallRequest } from '../core/call.ts'
import type { Endpoint, EndpointDirectory } from '../core/endpoint.ts'
import type { StoredGuardrails } from '../core/guardrails.ts'
import type { OwnedLimits, RateLimits } from '../core/limits.ts'
import type { BodyRulesDirectory } from '../core/log-settings.ts'
import type { Logins } from '../core/logins.ts'
import type { McpGateway } from '../core/mcp/ask.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Stage } from '../core/pipeline.ts'
import type {
  AnswerCache,
  CallLog,
  Clock,
  Deadlines,
  Logger,
  Resilience,
  SemanticIndex,
  SharedFlags,
  StoredConfigs,
  StoredPrompts,
  Tracing,
  Upstream,
} from '../core/ports.ts'
import type { Prices, StoredPrices } from '../core/prices.ts'
import type { CallRecorder, CallSink } from '../core/records.ts'
import type { Route } from '../core/route.ts'
import type { Check, CheckDirectory, CheckPowersSource } from './check.ts'
import type { InnerCalls } from './inner-calls.ts'
import type { KeptResponses } from './kept-responses.ts'
import type { OwnBatches } from './own-batches.ts'
import type { OwnFiles } from './own-files.ts'
import type { PartnerAccount } from './partner-account.ts'
import type { Bridge, BridgeDirectory } from './provider/bridge.ts'
import type { Provider } from './provider/provider.ts'
import type { Principal } from './slots.ts'

/** What a key, or its workspace, lends to calls that do not bring their own. */
export interface KeyDefaults {
  /** Wins over the metadata of the call. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Id or slug of a saved config. */
  readonly configId?: string
  /** False: a call that brings its own config is refused. */
  readonly allowConfigOverride?: boolean
}

export interface FoundKey {
  readonly principal: Principal
  readonly expiresAtMs?: number
  readonly defaults?: KeyDefaults
  /** Limits of the key and of its workspace. */
  readonly limits?: readonly OwnedLimits[]
  /** Budgets of the key and of its workspace. */
  readonly budgets?: readonly OwnedBudgets[]
  /** The token is one of an issuer of the operator's. */
  readonly isIssued?: true
  /** That token, where it came in a place of its own. */
  readonly issuedToken?: string
}

/** Where a call goes, as the client wrote it. */
export type CalledPlace = Pick<CallRequest, 'path' | 'params' | 'headers'>

/** Finds who a gateway key or token stands for. */
export interface KeyDirectory {
  /**
   * At once for one that was used lately, which is all but the first of its calls.
   * @param place what is called: some tokens are good for one place alone
   * @throws StoreUnavailable (503) when it would have to be looked up and the store is away: never a 401 then.
   */
  find(key: string, place?: CalledPlace): FoundKey | undefined | Promise<FoundKey | undefined>
  /**
   * Who a call without a known key or token comes from, where what it calls takes tokens of others.
   * @throws StoreUnavailable (503) when that cannot be checked now
   */
  findOther?(place: CalledPlace): Promise<FoundKey | undefined>
  /**
   * What `WWW-Authenticate` says to a call without a good key or token: where one can be had.
   * @param broughtOne it brought one that is not good
   * @returns undefined where none can be had
   */
  challenge?(place: CalledPlace, broughtOne: boolean): string | undefined
}

/** A stored provider, opened for a call: where calls to `@slug` go, and with which credentials. */
export interface StoredProvider {
  readonly slug: string
  /** Id of the provider plugin. */
  readonly providerId: string
  /** Empty when it has none, as for a provider that needs no key. Never the operator's own. */
  readonly apiKey: string
  /** Its own rate limits, or those of its integration. */
  readonly limits?: OwnedLimits
  /** Its own budgets, and those that its integration gives the workspace: both hold. */
  readonly budgets?: readonly OwnedBudgets[]
  /** Only some models may be used. */
  readonly isRestricted?: true
  /** Whether calls may use this model, under any of its names. */
  allows(model: string): boolean
  /**
   * What is stored for a model, or for a call without one.
   * @throws a catalogue error when nothing stored fits the model, or for a login that the provider cannot do
   */
  forModel(model: string | undefined): {
    readonly settings: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    readonly customHost?: string
    /** The host is the model's own, and the key is not for it. */
    readonly withoutKey?: true
  }
}

/** The stored providers of every workspace, in memory. */
export interface StoredProviders {
  /**
   * Undefined when the workspace has none of that slug. A promise only for the first secret of an organisation that came up
   * after this process started.
   * @throws a catalogue error for one that has expired or is used up, or whose secret cannot be opened
   */
  find(workspaceId: string, slug: string): StoredProvider | Promise<StoredProvider> | undefined
  /** What `GET /models` lists for a workspace. */
  models(workspaceId: string): readonly StoredModels[]
}

export type { ListedModel } from '../core/endpoint.ts'

/** The models that can be named through one stored provider. */
export interface StoredModels {
  readonly slug: string
  /** Id of the running provider. Absent: it is called as the slug. */
  readonly providerId?: string
  readonly models: readonly string[]
  /** Of the caller's own models: what they were made of. */
  readonly bases?: ReadonlyMap<string, string>
}

/** The providers of all running plugins. Complete once every plugin is set up, so look up at call time, not in `setup`. */
export interface ProviderDirectory {
  get(id: string): Provider | undefined
  list(): readonly Provider[]
}

/** Capabilities of the engine. A plugin gets those it asks for, and nothing else: no environment, no store, no fetch. */
export interface Host {
  readonly clock: Clock
  readonly log: Logger
  readonly callLog: CallLog
  readonly tracing: Tracing
  readonly upstream: Upstream
  /** For providers whose credentials are exchanged for a token first. */
  readonly logins: Logins
  readonly keys: KeyDirectory
  readonly stored: StoredProviders
  readonly configs: StoredConfigs
  readonly prompts: StoredPrompts
  readonly limits: RateLimits
  readonly flags: SharedFlags
  readonly cache: AnswerCache
  /** Undefined: nothing is looked for by its meaning. */
  readonly semanticIndex: SemanticIndex | undefined
  /** Responses that calls asked to store, of providers that keep none. */
  readonly keptResponses: KeptResponses
  /** Files that Weir keeps itself. */
  readonly files: OwnFiles
  /** Batches that Weir runs itself. */
  readonly batches: OwnBatches
  /** Calls of the gateway to itself. */
  readonly innerCalls: InnerCalls
  /** Servers of tools, and the way to them. */
  readonly mcp: McpGateway
  /** Keeps what happened; hands the records of calls to the sinks of all plugins as well. */
  readonly records: CallRecorder
  /** What is kept of the messages of calls. */
  readonly bodyRules: BodyRulesDirectory
  /** What models cost, as the plugin that brings prices knows it. */
  readonly prices: Prices
  /** What is paid through stored providers, where that is not the public price. */
  readonly storedPrices: StoredPrices
  /** Numbers about this process, for whoever collects them. */
  readonly metrics: Metrics
  readonly providers: ProviderDirectory
  readonly endpoints: EndpointDirectory
  readonly bridges: BridgeDirectory
  /** What guardrails are made of. */
  readonly checks: CheckDirectory
  readonly guardrails: StoredGuardrails
  readonly checkPowers: CheckPowersSource
  /** Where browsers reach this gateway, where the operator says so. */
  readonly publicUrl: string | undefined
  /** The operator's limits on upstream waits. */
  readonly deadlines: Deadlines
  /** What calls survive where their configs do not say. */
  readonly resilience: Resilience
  /**
   * Text of a file that the settings of the plugin name, from the folder of the operator's file.
   * @throws Error for one that cannot be read, or is larger than 16 MiB
   */
  readFile(path: string): Promise<string>
  /** A UUID that nobody else has; that of a later time is the greater one. @param atMs that time, by default now */
  randomId(atMs?: number): string
  /** Chance: at least 0 and below 1. Not for secrets. */
  random(): number
  /**
   * Checks a base URL that a caller chose; gives it without trailing slashes.
   * @throws EgressRefused for anything but a plain public http(s) host, unless the operator trusts it.
   */
  checkCustomHost(url: string): string
  /** Lets calls reach a `host:port` that this plugin itself serves on the loopback address. */
  trustOwnServer(hostAndPort: string): void
}

/** Name of what a plugin can ask for. */
export type Capability = keyof Host

/** What a plugin brings to life. */
export interface Parts {
  readonly stages?: readonly Stage[]
  readonly providers?: readonly Provider[]
  /** Kinds of call, with their routes. */
  readonly endpoints?: readonly Endpoint[]
  /** Ways from forms of clients to forms of providers. */
  readonly bridges?: readonly Bridge[]
  /** Other ways to endpoints. They run the whole chain, like all others. */
  readonly routes?: readonly Route[]
  /** What guardrails can be made of. */
  readonly checks?: readonly Check[]
  /** Services that the checks have accounts with, besides those of providers. */
  readonly accounts?: readonly PartnerAccount[]
  /** Where records of calls go besides the store. */
  readonly sinks?: readonly CallSink[]
  /** What models cost. Of several plugins the last one counts. */
  readonly prices?: Prices
  /** Releases what `setup` took. Awaited in reverse order, once, also when a later setup failed. */
  close?(): void | Promise<void>
}

/** Where a stage of a drop-in stands: right before or right after the named stage. */
export interface Placement {
  readonly before?: string
  readonly after?: string
}

export interface Plugin<Config extends TObject = TObject, Needs extends Capability = Capability> {
  /** Unique, kebab-case; the key of its block in the config file. */
  readonly name: string
  /** Its config block: checked at boot, unknown keys refused; each `description` feeds the reference docs. */
  readonly config: Config
  /** Place of its stages, for a plugin that is not part of the default order. The operator's file may say otherwise. */
  readonly placement?: Placement
  /** What `setup` gets of the host. */
  readonly needs?: readonly Needs[]
  /** Builds the running parts, in config order. No side effect before this is called. */
  setup(config: Static<Config>, host: Pick<Host, Needs>): Parts | Promise<Parts>
}

/**
 * Gives a plugin its types. Importing a plugin registers nothing: it runs when the operator's file lists it.
 *
 * @example
 * export default definePlugin({
 *   name: 'acme',
 *   config: t.Object({}),
 *   setup: () => ({ providers: [openaiCompatible({ id: 'acme', baseURL: 'https://api.acme.example/v1' })] }),
 * })
 */
export const definePlugin = <Config extends TObject, const Needs extends Capability = never>(
  plugin: Plugin<Config, Needs>,
): Plugin<Config, Needs> => plugin

/**
 * The part of a host that a plugin asked for; reaching for another one says what to write.
 * @throws Error for a name that no host has
 */
export const grant = ({ needs = [] }: Pick<Plugin, 'needs'>, host: Host): Host => {
  const known = Object.keys(host)
  const unknown = needs.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`it needs \`${unknown}\`, but a host has only: ${known.join(', ')}`)
  const granted = Object.fromEntries(needs.map((name) => [name, host[name]]))
  for (const name of known.filter((name) => !(name in granted))) {
    Object.defineProperty(granted, name, {
      get: () => {
        throw new Error(`it uses \`${name}\` of its host, which it has to ask for: needs: ['${name}']`)
      },
    })
  }
  return granted as unknown as Host
}
