import { builtInParts, builtInPlugins } from '../../plugins/built-in.ts'
import { type CallServer, type Handler, listen } from '../../src/cli/listen.ts'
import { createGateway, type Gateway, type GatewayDeps } from '../../src/compose/gateway.ts'
import { OperatorConfig, type OperatorConfigInput } from '../../src/config/schema.ts'
import { check } from '../../src/core/json/check.ts'
import type { CallLog, Logger } from '../../src/core/ports.ts'
import type { KeyDirectory, Plugin } from '../../src/kit/plugin.ts'
import type { Principal } from '../../src/kit/slots.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { createTracing } from '../../src/observe/trace.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../src/store/scopes.ts'
import { memoryFiles } from './own-files.ts'

/** A key of a workspace with every scope, known to every test gateway. */
export const API_KEY = 'test-workspace-key-0123456789abcdef'
/** An organisation key: known, but never good for a call to a model. */
export const ADMIN_KEY = 'test-organisation-key-0123456789abcdef'

export interface TestGateway {
  readonly gateway: Gateway
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  readonly server: CallServer
  /** Records of finished calls, oldest first. */
  readonly records: Record<string, unknown>[]
  /** Lines of the operator's log. */
  readonly lines: { level: string; message: string; fields: unknown }[]
  /** Resolves with the first call record, from now or before, that fits. Rejects after 5 s. */
  record(fits: (record: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface TestGatewayOptions {
  readonly config?: OperatorConfigInput
  /** Plugins that are not built in, as if listed by path after `defaults` and `mock`. */
  readonly plugins?: readonly Plugin[]
  readonly keys?: KeyDirectory
  readonly deps?: Partial<GatewayDeps>
}

/** The whole of an operator's config: what `input` says, defaults for the rest, `mock` on. */
export const testConfig = (input: OperatorConfigInput = {}): OperatorConfig => {
  const checked = check(OperatorConfig, {
    ...input,
    server: { port: 0, ...input.server },
    egress: { trustedHosts: ['127.0.0.1'], ...input.egress },
    plugins: input.plugins ?? ['defaults', 'mock'],
  })
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations))
  return checked.value
}

/** A gateway on a socket of its own, with the mock provider, known keys and no store. Loopback addresses are trusted. */
export const startTestGateway = async (options: TestGatewayOptions = {}): Promise<TestGateway> => {
  const records: Record<string, unknown>[] = []
  const lines: TestGateway['lines'] = []
  const watchers = new Set<() => void>()
  const callLog: CallLog = (record) => {
    records.push({ ...record })
    for (const watcher of watchers) watcher()
  }
  const config = testConfig(options.config)
  const extra = options.plugins ?? []
  const gateway = await createGateway(config, {
    clock: systemClock,
    log: collectingLogger(lines),
    callLog,
    tracing: createTracing('test'),
    keys: options.keys ?? knownKeys(),
    builtIns: { plugins: [...builtInPlugins, ...extra], always: builtInParts, onRequest: new Set(['mock']) },
    randomId: () => crypto.randomUUID(),
    folder: process.cwd(),
    files: memoryFiles(),
    ...options.deps,
  })
  const handler: Handler = (request) => gateway.handle(request)
  const server = listen(config.server, () => handler)
  return {
    gateway,
    url: `http://127.0.0.1:${server.port}`,
    server,
    records,
    lines,
    record: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look)
          reject(new Error(`no such call record among: ${JSON.stringify(records)}`))
        }, 5_000)
        const look = (): void => {
          const found = records.find(fits)
          if (found === undefined) return
          clearTimeout(timer)
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
    async close() {
      await server.stop(true)
      await gateway.close()
    },
  }
}

const knownKeys = (): KeyDirectory => {
  const principal = (kind: Principal['kind'], workspaceId?: string): Principal => ({
    keyId: `key-${kind}`,
    keyName: kind,
    kind,
    organisationId: 'organisation-1',
    scopes: new Set(WORKSPACE_SERVICE_SCOPES),
    ...(workspaceId === undefined ? {} : { workspaceId }),
  })
  const known = new Map([
    [API_KEY, { principal: principal('workspace-service', 'workspace-1') }],
    [ADMIN_KEY, { principal: principal('organisation-service') }],
  ])
  return { find: (key) => known.get(key) }
}

const collectingLogger = (lines: TestGateway['lines']): Logger => {
  const at =
    (level: string) =>
    (message: string, fields: unknown = {}): void => {
      lines.push({ level, message, fields })
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
