import { defined } from '../../core/defined.ts'
import type { CheckCredentials } from '../../kit/check.ts'
import type { StoredProviders } from '../../kit/plugin.ts'

/** More of them are not listed. */
const MAX_LISTED = 10

/**
 * The account that a workspace has with one of these partners: the one of the slug, or the only one.
 * @throws Error that says what to store or to name; a catalogue error for one that is expired, or cannot be opened
 */
export const findAccount = async (
  stored: StoredProviders,
  workspaceId: string | undefined,
  providerIds: readonly string[],
  slug?: string,
): Promise<CheckCredentials> => {
  if (workspaceId === undefined) throw new Error('only calls of a workspace have accounts with partners')
  const chosen = slug?.replace(/^@/, '') ?? onlyOne(stored, workspaceId, providerIds)
  const account = await stored.find(workspaceId, chosen)
  if (account === undefined) throw new Error(`there is no stored provider '@${chosen}' in this workspace`)
  const { providerId, apiKey } = account
  if (!providerIds.includes(providerId)) {
    throw new Error(`'@${chosen}' is an account with '${providerId}', not with ${either(providerIds)}`)
  }
  const { settings, headers, customHost } = account.forModel(undefined)
  return { slug: account.slug, apiKey, settings, headers, ...defined({ customHost }) }
}

const onlyOne = (stored: StoredProviders, workspaceId: string, providerIds: readonly string[]): string => {
  const slugs = stored
    .models(workspaceId)
    .flatMap(({ slug, providerId }) => (providerIds.includes(providerId ?? slug) ? [slug] : []))
  const [only, ...others] = slugs
  if (only === undefined) {
    throw new Error(
      `the workspace has no account with ${either(providerIds)}: store an integration whose \`ai_provider_id\` is ${either(providerIds)}`,
    )
  }
  if (others.length === 0) return only
  const listed = slugs.slice(0, MAX_LISTED).map((name) => `'@${name}'`)
  const more = slugs.length > MAX_LISTED ? ', …' : ''
  throw new Error(
    `the workspace has several accounts with ${either(providerIds)}; name one of ${listed.join(', ')}${more}`,
  )
}

const either = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' or ')
