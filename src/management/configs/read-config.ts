import type { ConfigNode } from '../../calls/config/fields.ts'
import { readCallConfig } from '../../calls/config/read.ts'
import { isVersion1, migrateConfig } from '../../calls/config/version-1.ts'
import { settingNamesOf } from '../../calls/passed-headers.ts'
import { WholeBody } from '../../core/bodies/body.ts'
import { GatewayError, ManagementInvalid, type Violation } from '../../errors/gateway-error.ts'
import type { NamedGuardrail } from '../guardrails/references.ts'
import { invalidField } from '../invalid-field.ts'
import { findLongKey } from '../long-key.ts'
import { findUnstorable } from '../unstorable-text.ts'
import { type ConfigObject, fieldPath, nodesOf, toFieldName } from './config-tree.ts'
import type { ConfigDeps } from './deps.ts'

/** A config that may be stored. */
export interface CheckedConfig {
  /** Version 2.0, as it was written. */
  readonly config: ConfigObject
  /** True: it came as version 1.0. */
  readonly isMigrated: boolean
  /** Saved guardrails that it names, by their paths in the body. */
  readonly guardrails: readonly NamedGuardrail[]
}

/**
 * Checks the `config` of a body: an object, or the same as JSON in a text.
 * @throws ManagementInvalid with every violation, each path below `config`
 */
export const readConfig = (
  given: string | ConfigObject,
  { providers, checks, checkCustomHost }: Pick<ConfigDeps, 'providers' | 'checks' | 'checkCustomHost'>,
): CheckedConfig => {
  const written = typeof given === 'string' ? parse(given) : given
  const isMigrated = isVersion1(written)
  const settingNames = new Set(providers().flatMap(settingNamesOf))
  return below(() => {
    const config = isMigrated ? migrateConfig(written).config : written
    const node = readCallConfig(config, { settingNames, checks })
    refuseHosts(config, checkCustomHost)
    return { config, isMigrated, guardrails: namedIn(node) }
  })
}

const namedIn = ({ guardrails = {}, targets = [] }: ConfigNode): readonly NamedGuardrail[] => [
  ...Object.values(guardrails)
    .flat()
    .flatMap((use) =>
      use.kind === 'stored' ? [{ reference: use.reference, path: fieldPath({ path: 'config' }, use.path) }] : [],
    ),
  ...targets.flatMap(namedIn),
]

/** A stored config as version 2.0, in which one may not be that was stored past this interface. */
export const toVersion2 = (config: ConfigObject): ConfigObject =>
  isVersion1(config) ? migrateConfig(config).config : config

const parse = (text: string): ConfigObject => {
  let value: Record<string, unknown>
  try {
    value = new WholeBody(new TextEncoder().encode(text)).json()
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    throw invalidField('config', thrown.message.replace(/^The request body /, '').replace(/\.$/, ''))
  }
  const refused = findLongKey(value) ?? findUnstorable(value)
  if (refused !== undefined) throw refuse([refused])
  return value
}

/** The hosts of all targets are checked, so that every one that is refused is named. */
const refuseHosts = (config: ConfigObject, checkCustomHost: ConfigDeps['checkCustomHost']): void => {
  const violations: Violation[] = []
  for (const node of nodesOf(config)) {
    for (const [key, url] of Object.entries(node.fields)) {
      if (toFieldName(key) !== 'custom_host' || typeof url !== 'string') continue
      try {
        checkCustomHost(url)
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        violations.push({ path: fieldPath(node, key), message: thrown.message.replace(/\.$/, '') })
      }
    }
  }
  if (violations.length > 0) throw refuse(violations)
}

/** What the reader of configs refuses, as a refusal of the body that the config came in. */
const below = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown instanceof ManagementInvalid) throw thrown
    const { violations, param = '' } = thrown.options
    throw refuse(violations ?? [{ path: param, message: thrown.message.replace(/\.$/, '') }])
  }
}

const refuse = (violations: readonly Violation[]): ManagementInvalid => {
  const moved = violations.map(({ path, message }) => ({ path: path === '' ? 'config' : `config.${path}`, message }))
  const [first = { path: 'config', message: 'cannot be used' }] = moved
  return new ManagementInvalid(`The call is not valid: \`${first.path}\` ${first.message}.`, {
    violations: moved,
    param: first.path,
  })
}
