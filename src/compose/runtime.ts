import { ConfigError, violationLine } from '../config/config-error.ts'
import { NEEDED_STAGES, orderStages, type PlacedStage, REQUIRED_STAGES } from '../config/order.ts'
import type { BuiltIns, ListedPlugin } from '../config/plugin-list.ts'
import { toResilience } from '../config/resilience.ts'
import type { OperatorConfig } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import type { EndpointDirectory } from '../core/endpoint.ts'
import { NO_GUARDRAILS, type StoredGuardrails } from '../core/guardrails.ts'
import { NO_LIMITS, type RateLimits } from '../core/limits.ts'
import { createLocalCache, createLocalFlags, NO_CONFIGS, NO_PROMPTS, NO_RECORDS } from '../core/local-stores.ts'
import { type BodyRulesDirectory, KEEP_NO_BODIES } from '../core/log-settings.ts'
import { type McpGateway, NO_MCP_SERVERS } from '../core/mcp/ask.ts'
import { type Metrics, NO_METRICS } from '../core/metrics.ts'
import { composePipeline, type Pipeline } from '../core/pipeline.ts'
import type {
  AnswerCache,
  CallLog,
  Clock,
  Logger,
  SemanticIndex,
  SharedFlags,
  StoredConfigs,
  StoredPrompts,
  Tracing,
  Upstream,
} from '../core/ports.ts'
import { NO_PRICES, NO_STORED_PRICES, type Prices, type StoredPrices } from '../core/prices.ts'
import type { CallRecorder, CallSink } from '../core/records.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { RunningRoute } from '../http/running-route.ts'
import type { Check, CheckDirectory, CheckPowersSource } from '../kit/check.ts'
import type { KeptResponses } from '../kit/kept-responses.ts'
import type { OwnBatches } from '../kit/own-batches.ts'
import type { OwnFiles } from '../kit/own-files.ts'
import type { PartnerAccount } from '../kit/partner-account.ts'
import {
  grant,
  type Host,
  type KeyDirectory,
  type Parts,
  type Placement,
  type ProviderDirectory,
  type StoredProviders,
} from '../kit/plugin.ts'
import type { Bridge } from '../kit/provider/bridge.ts'
import type { Provider } from '../kit/provider/provider.ts'
import type { SecretMeans } from '../secret-managers/manager.ts'
import { checkCustomHost, trusts } from '../upstream/egress.ts'
import { createLogins } from '../upstream/logins.ts'
import { createResolver, type Lookup } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { CHECK_POWERS, createCheckPowers } from './check-powers/grant.ts'
import { createInnerCalls } from './inner-calls.ts'
import { type ExtraSettings, type InspectedPlugin, inspectConfig } from './inspect-config.ts'
import { createLocalKeptResponses } from './local-kept-responses.ts'
import { readNamedFile } from './named-file.ts'
import { NO_BATCHES, NO_FILES } from './nothing-kept.ts'
import { type Brought, endpointDirectory, listRoutes, runningRoutes } from './routes.ts'
import { createSinks, withSinks } from './sinks.ts'

export interface RuntimeDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly callLog: CallLog
  readonly tracing: Tracing
  readonly keys: KeyDirectory
  /** Absent: no workspace has stored providers. */
  readonly stored?: StoredProviders
  /** Absent: no workspace has saved configs. */
  readonly configs?: StoredConfigs
  /** Absent: no workspace has prompts. */
  readonly prompts?: StoredPrompts
  /** Absent: no workspace has guardrails. */
  readonly guardrails?: StoredGuardrails
  /** Absent: nothing is limited. */
  readonly limits?: RateLimits
  /** Absent: kept in this process. */
  readonly flags?: SharedFlags
  /** Absent: a small one in this process. */
  readonly cache?: AnswerCache
  /** Absent: a semantic cache works as a simple one. */
  readonly semanticIndex?: SemanticIndex
  /** Absent: kept in this process. */
  readonly keptResponses?: KeptResponses
  /** Absent: there is no place for files. */
  readonly files?: OwnFiles
  /** Absent: no batches are run here. */
  readonly batches?: OwnBatches
  /** Absent: no workspace has MCP servers. */
  readonly mcp?: McpGateway
  /** Absent: nothing is kept of calls. */
  readonly records?: CallRecorder
  /** Absent: no bodies are kept. */
  readonly bodyRules?: BodyRulesDirectory
  /** Absent: the public prices hold for everybody. */
  readonly storedPrices?: StoredPrices
  /** Besides those of plugins. */
  readonly sinks?: readonly CallSink[]
  /** Absent: nothing is counted. */
  readonly metrics?: Metrics
  readonly builtIns: BuiltIns
  readonly randomId: (atMs?: number) => string
  /** At least 0 and below 1; by default `Math.random`. */
  readonly random?: () => number
  readonly extraSettings?: ExtraSettings
  /** Where a cloud tells the machine about its identity. Absent: it has none. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Asks the name service; by default the system's. */
  readonly lookup?: Lookup
}

export type PluginKind = 'stage' | 'route' | 'provider' | 'endpoint' | 'check' | 'prices' | 'sink'

const kindsOf = ({
  stages = [],
  routes = [],
  providers = [],
  endpoints = [],
  checks = [],
  sinks = [],
  prices,
}: Parts): readonly PluginKind[] => [
  ...(stages.length > 0 ? (['stage'] as const) : []),
  ...(routes.length > 0 ? (['route'] as const) : []),
  ...(providers.length > 0 ? (['provider'] as const) : []),
  ...(endpoints.length > 0 ? (['endpoint'] as const) : []),
  ...(checks.length > 0 ? (['check'] as const) : []),
  ...(sinks.length > 0 ? (['sink'] as const) : []),
  ...(prices === undefined ? [] : (['prices'] as const)),
]

/** All that one config brings to life. Built whole, swapped whole, closed whole. */
export interface Runtime {
  readonly plugins: readonly ListedPlugin[]
  /** What each plugin brings, by its name. */
  readonly kinds: ReadonlyMap<string, readonly PluginKind[]>
  readonly stages: readonly PlacedStage[]
  readonly providers: readonly Provider[]
  readonly checks: CheckDirectory
  readonly checkPowers: CheckPowersSource
  /** Services that checks have accounts with. */
  readonly accounts: readonly PartnerAccount[]
  readonly endpoints: EndpointDirectory
  /** Every route that runs the chain. */
  readonly routes: readonly RunningRoute[]
  /** The part of the chain that a dry run of the limits goes through: it reaches no provider and leaves no trace. */
  readonly limitDryRun: Pipeline
  /** The part that one of the router goes through. */
  readonly routeDryRun: Pipeline
  /** Header prefixes of the operator's, read like `x-gateway-`. */
  readonly headerPrefixes: readonly string[]
  /** The host's check of a base URL, by the trusted hosts of this config. */
  readonly checkCustomHost: Host['checkCustomHost']
  readonly prices: Prices
  /** The way out of calls, with its guard. */
  readonly upstream: Pick<Upstream, 'send'>
  /** What secrets that are kept elsewhere are reached with. */
  readonly secretMeans: SecretMeans
  close(): Promise<void>
}

/** Stages of a dry run. Those of others may do anything, so they are left out. */
const LIMIT_STAGES: readonly string[] = ['auth', 'prompt', 'config', 'rate-limit']
const ROUTE_STAGES: readonly string[] = ['auth', 'prompt', 'config', 'route']

const NO_BRIDGES: readonly Bridge[] = []

const NOTHING_STORED: StoredProviders = { find: () => undefined, models: () => [] }

/** Milliseconds the name service gets to answer. */
const RESOLVE_TIMEOUT_MS = 5_000

/** @throws ConfigError for anything in the file that cannot run; what was already set up is closed then. */
export const createRuntime = async (config: OperatorConfig, folder: string, deps: RuntimeDeps): Promise<Runtime> => {
  const { plugins, violations } = await inspectConfig(config, folder, deps)
  if (violations.length > 0) throw new ConfigError(violations.map((violation) => violationLine(violation)).join('\n'))
  const trusted = createTrustedHosts(config.egress.trustedHosts)
  const now = (): number => deps.clock.monotonicMs()
  const resolver = createResolver(defined({ now, timeoutMs: RESOLVE_TIMEOUT_MS, lookup: deps.lookup }))
  const metrics = deps.metrics ?? NO_METRICS
  const upstream = createUpstream({ resolver, trusted, now, metrics })
  const logins = createLogins({ upstream, resolver, trusted, now, environment: deps.environment ?? {} })
  const providers = new Map<string, Provider>()
  const directory: ProviderDirectory = { get: (id) => providers.get(id), list: () => [...providers.values()] }
  const checks = new Map<string, Check>()
  const accounts = new Map<string, PartnerAccount>()
  const running: Brought[] = [{ name: 'built-in', parts: deps.builtIns.always }]
  let endpoints = endpointDirectory(running)
  let routes: readonly RunningRoute[] = []
  const bridges = new Map<string, readonly Bridge[]>()
  let known = NO_PRICES
  const prices: Prices = {
    costOf: (bought) => known.costOf(bought),
    worstOf: (buyable) => known.worstOf(buyable),
    sizesOf: (model) => known.sizesOf(model),
    describe: (provider, model) => known.describe(provider, model),
    list: (asked) => known.list(asked),
  }
  const sinks = createSinks({ clock: deps.clock, log: deps.log, metrics })
  for (const sink of deps.sinks ?? []) sinks.add(sink, false)
  const host: Host = {
    clock: deps.clock,
    log: deps.log,
    callLog: deps.callLog,
    tracing: deps.tracing,
    upstream,
    logins,
    keys: deps.keys,
    stored: deps.stored ?? NOTHING_STORED,
    configs: deps.configs ?? NO_CONFIGS,
    prompts: deps.prompts ?? NO_PROMPTS,
    limits: deps.limits ?? NO_LIMITS,
    flags: deps.flags ?? createLocalFlags(now),
    cache: deps.cache ?? createLocalCache(now),
    semanticIndex: deps.semanticIndex,
    keptResponses: deps.keptResponses ?? createLocalKeptResponses(now),
    files: deps.files ?? NO_FILES,
    batches: deps.batches ?? NO_BATCHES,
    mcp: deps.mcp ?? NO_MCP_SERVERS,
    records: withSinks(deps.records ?? NO_RECORDS, sinks),
    bodyRules: deps.bodyRules ?? KEEP_NO_BODIES,
    prices,
    storedPrices: deps.storedPrices ?? NO_STORED_PRICES,
    readFile: (path) => readNamedFile(folder, path),
    metrics,
    providers: directory,
    endpoints: { get: (id) => endpoints.get(id), list: () => endpoints.list() },
    bridges: { from: (form) => bridges.get(form) ?? NO_BRIDGES },
    checks: { get: (id) => checks.get(id), list: () => [...checks.values()] },
    guardrails: deps.guardrails ?? NO_GUARDRAILS,
    checkPowers: createCheckPowers({
      providers: directory,
      ...{ clock: deps.clock, log: deps.log, randomId: deps.randomId, deadlines: config.deadlines },
      ...{ upstream, resolver, trusted, stored: deps.stored ?? NOTHING_STORED },
      basePath: config.server.basePath,
      routes: () => routes,
    }),
    publicUrl: config.server.publicUrl,
    innerCalls: createInnerCalls({
      ...{ clock: deps.clock, log: deps.log, randomId: deps.randomId },
      basePath: config.server.basePath,
      routes: () => routes,
    }),
    deadlines: config.deadlines,
    resilience: toResilience(config.resilience),
    randomId: deps.randomId,
    random: deps.random ?? Math.random,
    checkCustomHost: (url) => checkCustomHost(url, trusted),
    trustOwnServer: (hostAndPort) => trusted.add(hostAndPort),
  }

  const sinkNames = new Set((deps.sinks ?? []).map(({ name }) => name))
  const addSink = (sink: CallSink, { plugin, origin }: ListedPlugin): void => {
    if (sinkNames.has(sink.name)) {
      throw new ConfigError(`sink '${sink.name}' of plugin '${plugin.name}' (${origin}) exists already`)
    }
    sinkNames.add(sink.name)
    sinks.add(sink, true)
  }

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // First: they may need what their plugins have taken.
    await sinks.close()
    for (const { name, parts } of running.toReversed()) {
      try {
        await parts.close?.()
      } catch (thrown) {
        deps.log.error('a plugin could not be closed', { plugin: name, ...errorFields(thrown) })
      }
    }
    logins.close()
    upstream.close()
  }
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }

  try {
    const placed: PlacedStage[] = []
    for (const listed of plugins) {
      const parts = await setUp(listed, host)
      running.push({ name: listed.plugin.name, parts })
      for (const stage of parts.stages ?? []) {
        placed.push({
          stage,
          origin: listed.origin,
          plugin: listed.plugin.name,
          placement: placementOf(listed),
        })
      }
      for (const provider of parts.providers ?? []) add(providers, 'provider', provider, listed)
      for (const check of parts.checks ?? []) {
        refuseUnknownPower(check, listed)
        add(checks, 'check', check, listed)
      }
      for (const account of parts.accounts ?? []) add(accounts, 'account', account, listed)
      known = parts.prices ?? known
      for (const sink of parts.sinks ?? []) addSink(sink, listed)
    }
    const both = [...accounts.keys()].find((id) => providers.has(id))
    if (both !== undefined) throw new ConfigError(`account '${both}' has the id of a provider`)
    endpoints = endpointDirectory(running)
    for (const bridge of running.flatMap(({ parts }) => parts.bridges ?? [])) {
      bridges.set(bridge.from, [...(bridges.get(bridge.from) ?? NO_BRIDGES), bridge])
    }
    const stages = orderStages(placed)
    requireStages(stages)
    routes = runningRoutes(listRoutes(running), placed, endpoints, config.server.basePath)
    const only = (names: readonly string[]): Pipeline =>
      composePipeline(stages.map(({ stage }) => stage).filter(({ name }) => names.includes(name)))
    return {
      plugins,
      kinds: new Map(running.map(({ name, parts }) => [name, kindsOf(parts)])),
      stages,
      providers: [...providers.values()],
      checks: host.checks,
      checkPowers: host.checkPowers,
      accounts: [...accounts.values()],
      headerPrefixes: headerPrefixesOf(plugins, deps),
      checkCustomHost: host.checkCustomHost,
      prices,
      upstream,
      secretMeans: { logins, settings: config.secrets, trusts: (url) => trusts(url, trusted) },
      endpoints,
      routes,
      limitDryRun: only(LIMIT_STAGES),
      routeDryRun: only(ROUTE_STAGES),
      close: closeOnce,
    }
  } catch (thrown) {
    await closeOnce()
    throw thrown
  }
}

/** They belong to `auth`, which has checked them; the stored side reads the same ones. */
const headerPrefixesOf = (plugins: readonly ListedPlugin[], { extraSettings }: RuntimeDeps): readonly string[] => {
  const settings = plugins.find(({ plugin }) => plugin.name === 'auth')?.settings ?? {}
  const { headerPrefixes } = extraSettings?.('auth', settings) ?? settings
  return Array.isArray(headerPrefixes) ? headerPrefixes.map(String) : []
}

const setUp = async ({ plugin, checked }: InspectedPlugin, host: Host): Promise<Parts> => {
  try {
    return await plugin.setup(checked, grant(plugin, host))
  } catch (cause) {
    throw new ConfigError(
      `plugin '${plugin.name}' cannot start: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    )
  }
}

/** The file's word replaces the plugin's as a whole: `before` of the one and `after` of the other are no place. */
const placementOf = ({ plugin, placement }: ListedPlugin): Placement =>
  Object.keys(placement).length > 0 ? placement : (plugin.placement ?? {})

/** @throws ConfigError for one whose id is taken */
const add = <Part extends { readonly id: string }>(
  known: Map<string, Part>,
  what: string,
  part: Part,
  { plugin, origin }: ListedPlugin,
): void => {
  if (known.has(part.id)) {
    throw new ConfigError(`${what} '${part.id}' of plugin '${plugin.name}' (${origin}) exists already`)
  }
  known.set(part.id, part)
}

/** @throws ConfigError for a check that asks for what no check can get */
const refuseUnknownPower = ({ id, needs = [] }: Check, { plugin }: ListedPlugin): void => {
  const unknown = needs.find((need) => !CHECK_POWERS.includes(need))
  if (unknown === undefined) return
  throw new ConfigError(
    `check '${id}' of plugin '${plugin.name}' needs \`${unknown}\`, but a check can only have: ${CHECK_POWERS.join(', ')}`,
  )
}

const requireStages = (stages: readonly PlacedStage[]): void => {
  const runs = new Set(stages.map(({ stage }) => stage.name))
  for (const name of REQUIRED_STAGES) {
    if (!runs.has(name)) {
      throw new ConfigError(`plugins: '${name}' is missing: no call can be served without it. List it, or 'defaults'.`)
    }
  }
  for (const [stage, needs] of NEEDED_STAGES) {
    if (runs.has(stage) && !runs.has(needs)) {
      throw new ConfigError(
        `plugins: '${needs}' is missing: '${stage}' could not tell what calls have cost, and no budget would hold. List it, or leave '${stage}' out.`,
      )
    }
  }
}
