import { maskSecret } from '../../secrets/mask.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { SealedConfig } from '../../store/memory/config-snapshot.ts'
import type { ConfigContent } from '../../store/objects/configs.ts'
import type { ConfigSecret } from '../../store/schema/configs.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { checkHeadersOf } from './check-headers.ts'
import { type ConfigObject, fieldPath, isSecretName, nodesOf, toFieldName, withTexts } from './config-tree.ts'
import { destinationsOf } from './destinations.ts'
import { toVersion2 } from './read-config.ts'

/** What the secrets of a config are bound to: sealed under one config, they open under no other. */
export interface SecretOwner {
  readonly organisationId: string
  readonly configId: string
}

export interface ProtectDeps {
  readonly secretBox: Pick<SecretBox, 'seal'>
  readonly randomId: () => string
}

/** A secret in its place: in clear, or masked. */
interface PlacedSecret {
  readonly path: string
  /** A structured one as JSON, as it stays from then on: what reads it takes both. */
  readonly text: string
  /** Nothing of it may be seen. */
  readonly isDocument: boolean
  /** Where it may be sent. */
  destinations(): ReadonlySet<string>
}

/**
 * Seals the secrets of a config and puts their masks in their places. One that came masked, as it was shown, stays what it
 * is in the version before, also at another place.
 * @throws ManagementInvalid for a mask that stands for no secret of before, or whose secret would go to another host:
 *   who may change a config may not read its secrets, so must not have them sent to themselves.
 */
export const protectSecrets = async (
  db: Db,
  { secretBox, randomId }: ProtectDeps,
  { organisationId, configId }: SecretOwner,
  config: ConfigObject,
  before: ConfigContent | undefined,
): Promise<ConfigContent> => {
  const masks = new Map<string, string>()
  const secrets: ConfigSecret[] = []
  for (const placed of secretsOf(config)) {
    const { path, text } = placed
    const kept = keptSecret(placed, before)
    if (kept !== undefined) {
      secrets.push({ ...kept, path })
      continue
    }
    const field = `secret.${randomId()}`
    secrets.push({ path, field, sealed: await secretBox.seal(db, organisationId, configId, field, text) })
    masks.set(path, maskOf(placed))
  }
  return { config: withTexts(config, masks), secrets }
}

/** The config with its secrets in clear. @throws SecretUnreadable; StoreUnavailable */
export const revealSecrets = async (
  secretBox: Pick<SecretBox, 'open'>,
  { organisationId, configId }: SecretOwner,
  { config, secrets }: ConfigContent,
): Promise<ConfigObject> => {
  const clear = new Map<string, string>()
  for (const { path, field, sealed } of secrets) {
    clear.set(path, await secretBox.open(organisationId, configId, field, sealed))
  }
  return withTexts(config, clear)
}

/** A stored config as calls need it: version 2.0, its secrets in clear. @throws SecretUnreadable; StoreUnavailable */
export const openConfig = (
  secretBox: Pick<SecretBox, 'open'>,
  { organisationId, configId, config, secrets }: SealedConfig,
): Promise<ConfigObject> =>
  revealSecrets(secretBox, { organisationId, configId }, { config: toVersion2(config), secrets })

/** The config for people: also a secret that was stored without being sealed, past this interface, is masked. */
export const hideSecrets = ({ config, secrets }: ConfigContent): ConfigObject => {
  const sealed = new Set(secrets.map(({ path }) => path))
  const masks = [...secretsOf(config)]
    .filter(({ path }) => !sealed.has(path))
    .map((placed) => [placed.path, maskOf(placed)] as const)
  return withTexts(config, new Map(masks))
}

function* secretsOf(config: ConfigObject): Generator<PlacedSecret> {
  for (const node of nodesOf(config)) {
    for (const [key, value] of Object.entries(node.fields)) {
      if (!isSecretName(toFieldName(key))) continue
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const isDocument = toFieldName(key).endsWith('_json')
      yield { path: fieldPath(node, key), text, isDocument, destinations: () => destinationsOf(node) }
    }
    for (const { destination, ...header } of checkHeadersOf(node.fields, node.path)) {
      yield { ...header, destinations: () => new Set([destination]) }
    }
  }
}

/** Part of every mask, and of no key. */
const STARS = '*****'

const maskOf = ({ text, isDocument }: PlacedSecret): string => (isDocument ? STARS : maskSecret(text))

const keptSecret = (
  { path, text, destinations }: PlacedSecret,
  before: ConfigContent | undefined,
): ConfigSecret | undefined => {
  if (!text.includes(STARS)) return undefined
  const same = [...(before === undefined ? [] : secretsOf(before.config))].filter((earlier) => earlier.text === text)
  const [only, another] = same
  const earlier = same.find((found) => found.path === path) ?? (another === undefined ? only : undefined)
  const secret = before?.secrets.find((stored) => stored.path === earlier?.path)
  if (earlier === undefined || secret === undefined) {
    throw invalidField(`config.${path}`, 'is masked, and it is not plain which secret it stands for: send the secret')
  }
  const known = earlier.destinations()
  if (![...destinations()].every((destination) => known.has(destination))) {
    throw invalidField(`config.${path}`, 'must be given again, not masked, together with another provider or host')
  }
  return secret
}
