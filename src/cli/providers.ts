import { loadOwnMasterKeys } from '../compose/own-store.ts'
import { defined } from '../core/defined.ts'
import { check } from '../core/json/check.ts'
import { type ProviderDeps, storable } from '../management/integrations/deps.ts'
import type { IntegrationFields } from '../management/integrations/service.ts'
import { NewProvider, providerAnswer } from '../management/providers/model.ts'
import { providerEntry } from '../management/providers/routes.ts'
import { createOwnProvider } from '../management/providers/service.ts'
import { placeIn, resolveWorkspace } from '../management/resolve-workspace.ts'
import { systemClock } from '../observe/clock.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { checkCustomHost } from '../upstream/egress.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { withDryRuntime } from './dry-runtime.ts'
import { listRows } from './list.ts'
import { type ProviderFlags, parseProviderFlags, readConfigurations, readKey } from './provider-flags.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { WrongUsage } from './terminal/flags.ts'
import { runAction } from './terminal/run-action.ts'
import { table } from './terminal/table.ts'
import { type TerminalStore, withTerminalStore } from './terminal-store.ts'

/**
 * `weir providers add|list`: stored providers from a terminal, by the rules of the management interface and with the same
 * audit log. Works beside a running gateway, also on its embedded database.
 * @param args what stands behind `providers`
 * @throws ConfigError, StoreUnavailable, MasterKeyRefused
 */
export const providersCommand = (
  environment: Environment,
  configFile: string | undefined,
  args: readonly string[],
): Promise<ExitCode> =>
  runAction(environment, 'providers', async () => {
    const { values, positionals } = parseProviderFlags(args)
    const [action, extra] = positionals
    if (extra !== undefined) throw new WrongUsage(`unexpected argument '${extra}'`)
    switch (action) {
      case 'add':
        await add(environment, configFile, values)
        return
      case 'list':
        await list(environment, values)
        return
      default:
        throw new WrongUsage(action === undefined ? 'say what to do with providers' : `unknown action '${action}'`)
    }
  })

const add = async (environment: Environment, configFile: string | undefined, flags: ProviderFlags): Promise<void> => {
  const body = readBody(flags)
  const key = await readKey(environment, flags)
  const fields = defined({ configurations: readConfigurations(environment, flags), key })
  const answer = await withDryRuntime(environment, configFile, (runtime, { config }) => {
    const trusted = createTrustedHosts(config.egress.trustedHosts)
    return withTerminalStore(environment, async (terminal) => {
      const deps: ProviderDeps = {
        providers: () => storable(runtime),
        checkCustomHost: (url) => checkCustomHost(url, trusted),
        secretBox: await openSecretBox(terminal.db, await loadOwnMasterKeys(environment, terminal.store)),
        now: systemClock.now,
        randomId: () => crypto.randomUUID(),
      }
      return store(terminal, deps, body, fields)
    })
  })
  await environment.out(
    flags.json === true
      ? `${JSON.stringify(answer)}\n`
      : `Stored. Calls name it as @${answer.slug}, for example in the model: @${answer.slug}/MODEL\n`,
  )
}

/** The flags by the rules of a body of the management interface. */
const readBody = (flags: ProviderFlags) => {
  if (flags.name === undefined) throw new WrongUsage('--name is missing')
  if (flags.provider === undefined) throw new WrongUsage('--provider is missing')
  const checked = check(NewProvider, {
    name: flags.name,
    // Takes the place of the integration that is made along.
    integration_id: flags.provider,
    ...defined({ workspace_id: flags.workspace, slug: flags.slug, expires_at: flags.expires }),
  })
  if (checked.ok) return checked.value
  const [first] = checked.violations
  const names: Readonly<Record<string, string>> = {
    expires_at: 'expires',
    integration_id: 'provider',
    workspace_id: 'workspace',
  }
  throw new WrongUsage(`--${names[first?.path ?? ''] ?? first?.path} is wrong: ${first?.message}`)
}

const store = (
  { change, actor }: TerminalStore,
  deps: ProviderDeps,
  body: ReturnType<typeof readBody>,
  fields: IntegrationFields,
) =>
  change(async (transaction) => {
    const { workspace_id: reference, integration_id: aiProviderId, ...input } = body
    const place = placeIn(await resolveWorkspace(transaction, actor, reference))
    const provider = await createOwnProvider(transaction, deps, place, aiProviderId, input, fields)
    const answer = providerAnswer(deps.now).of(provider)
    const after = { ...answer, masked_key: provider.integration.masked.key ?? null }
    return [answer, { ...providerEntry('create', provider), after }] as const
  })

const list = async (
  environment: Environment,
  { workspace: reference, json, ...others }: ProviderFlags,
): Promise<void> => {
  const [strange] = Object.keys(others)
  if (strange !== undefined) throw new WrongUsage(`--${strange} does not belong to this action`)
  const answers = await withTerminalStore(environment, async (terminal) => {
    const slugs =
      reference === undefined
        ? (await listRows(terminal, 'workspaces', undefined)).map(({ slug }) => String(slug))
        : [(await resolveWorkspace(terminal.db, terminal.actor, reference)).slug]
    const found = await Promise.all(
      slugs.map(async (workspace) =>
        (await listRows(terminal, 'providers', workspace)).map(
          (row): Readonly<Record<string, unknown>> => ({ workspace, ...row }),
        ),
      ),
    )
    return found.flat()
  })
  await environment.out(
    json === true
      ? `${JSON.stringify(answers)}\n`
      : table([
          ['SLUG', 'PROVIDER', 'STATUS', 'WORKSPACE', 'NAME'],
          ...answers.map((row) => [row.slug, row.ai_provider_id, row.status, row.workspace, row.name].map(String)),
        ]),
  )
}
