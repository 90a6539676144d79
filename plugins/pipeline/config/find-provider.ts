import { nearest } from '#core/json/check'
import { type Host, InvalidHeader, type Provider, ProviderRequired, UnknownProvider } from '#kit'
import type { GatewayHeaders } from '#kit/slots'
import type { Named } from './named-provider.ts'

/**
 * A provider of the operator's file.
 * @param model as the call names it: some clients put the provider in front of it without an `@`
 * @throws ProviderRequired, InvalidHeader, UnknownProvider
 */
export const findProvider = (
  named: Named | undefined,
  providers: Host['providers'],
  model: string | undefined,
): Provider => {
  if (named === undefined || named.name === '') throw providerRequired(providers, model)
  const { name } = named
  const provider = providers.get(name)
  if (provider !== undefined) return provider
  if (!/^[a-z0-9-]{1,64}$/.test(name)) {
    throw new InvalidHeader('`x-gateway-provider` must be the id of a provider, such as `openai`.', {
      param: 'x-gateway-provider',
    })
  }
  throw new UnknownProvider(
    `There is no provider '${name}' here.${meant(name, idsOf(providers), '')}${running(providers)}`,
    {
      param: 'x-gateway-provider',
    },
  )
}

/** What a call is told that names a stored provider which its workspace does not have, and which does not run either. */
/** Where the names of providers are looked up. */
export type Directories = Pick<Host, 'providers' | 'stored'>

export const unknownStored = (slug: string, { stored, providers }: Directories, workspaceId: string | undefined) => {
  const slugs = workspaceId === undefined ? [] : stored.models(workspaceId).map((each) => each.slug)
  const name = short(slug)
  const known = slugs.length === 0 ? '' : ` Stored are: ${listed(slugs)}.`
  return new UnknownProvider(
    `There is no stored provider '@${name}' in this workspace.${meant(name, [...slugs, ...idsOf(providers)], '@')}${known}${running(providers)}`,
    { param: `@${name}` },
  )
}

const providerRequired = (providers: Host['providers'], model: string | undefined): ProviderRequired => {
  const [, first = '', rest = ''] = /^([^/\s]{1,64})\/(.+)$/s.exec(model ?? '') ?? []
  const near = first === '' ? undefined : nearest(first, idsOf(providers))
  const hint = near === undefined ? '' : ` Did you mean the model '@${near}/${short(rest)}'?`
  return new ProviderRequired(
    `Name a provider in \`x-gateway-provider\`, in a config (\`x-gateway-config\`), or in the model as \`@provider/model\`.${hint}${running(providers)}`,
    { param: 'x-gateway-provider' },
  )
}

const idsOf = (providers: Host['providers']): readonly string[] => providers.list().map(({ id }) => id)

const meant = (name: string, names: readonly string[], mark: '' | '@'): string => {
  const near = nearest(name, names)
  return near === undefined ? '' : ` Did you mean '${mark}${near}'?`
}

const running = (providers: Host['providers']): string => ` Running are: ${listed(idsOf(providers))}.`

/** A workspace may have stored many. */
const MAX_LISTED = 50

const listed = (names: readonly string[]): string =>
  names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(', ')}, …` : names.join(', ') || 'none'

const MAX_NAME_CHARACTERS = 128

const short = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name

/** The settings of a provider that the call brings in its headers; undefined for none. */
export const settingsFromHeaders = (
  { settings: names }: Provider,
  headers: GatewayHeaders,
): Record<string, string> | undefined => {
  if (names === undefined) return undefined
  let settings: Record<string, string> | undefined
  for (const name of Object.keys(names)) {
    const value = headers.get(names[name] ?? name)
    if (value === undefined) continue
    settings ??= {}
    settings[name] = value
  }
  return settings
}
