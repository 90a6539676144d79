import type { SecretManagerType } from '../store/schema/secret-references.ts'
import type { SecretMeans, SecretSource } from './manager.ts'

/** What is wrong with a reference, and where. */
export interface Problem {
  /** `secret_path`, or a field of `auth_config`. */
  readonly field: string
  readonly message: string
}

/**
 * Why a reference must not be followed: a path that could mean another place, or something of the machine that the operator does
 * not give. Asked when a reference is written, and again each time that it is read: the operator's word may have changed.
 */
export const problemOf = (
  source: Pick<SecretSource, 'managerType' | 'path'> & { readonly auth: Readonly<Record<string, string | undefined>> },
  means: Pick<SecretMeans, 'settings' | 'trusts'>,
): Problem | undefined => {
  const problem = pathProblem(source.managerType, source.path, means)
  return problem === undefined ? loginProblem(source, means) : { field: 'secret_path', message: problem }
}

/** Percent signs, backslashes and control characters: what stands behind them is read differently by everybody. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const AMBIGUOUS = /[\u0000-\u001f\u007f-\u009f%\\]/

/** How each manager names a secret. Azure: "Azure Key Vault object identifiers"; AWS: `SecretId` of GetSecretValue (read 2026-11-25). */
const PATHS: Readonly<Record<SecretManagerType, readonly [form: RegExp, words: string]>> = {
  aws_sm: [/^[A-Za-z0-9/_+=.@:!-]+$/, 'must be the name or the ARN of a secret'],
  azure_kv: [
    /^[A-Za-z0-9-]{1,127}(?:\/[A-Za-z0-9]{1,64})?$/,
    'must be the name of a secret, with `/` and its version if need be',
  ],
  hashicorp_vault: [/^[^/?#]+(?:\/[^/?#]+)+$/, 'must be a mount and a path in it, such as `secret/openai`'],
  environment: [/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'],
  file: [/^[^/]+(?:\/[^/]+)*$/, "must be a path below one of the operator's folders, without a `/` in front"],
}

const pathProblem = (
  managerType: SecretManagerType,
  path: string,
  { settings }: Pick<SecretMeans, 'settings'>,
): string | undefined => {
  if (AMBIGUOUS.test(path)) return 'must not hold `%`, `\\` or control characters'
  if (path.split('/').some((part) => part === '.' || part === '..')) return 'must not hold `.` or `..` as a part'
  const [form, words] = PATHS[managerType]
  if (!form.test(path)) return words
  if (managerType === 'environment' && !isGiven(path, settings.environment)) {
    return 'names a variable that the operator does not give (`secrets.environment` of the config file)'
  }
  if (managerType === 'file' && settings.folders.length === 0) {
    return 'names a file, and the operator gives no folder (`secrets.folders` of the config file)'
  }
  return undefined
}

/** Weir's own, which open everything it keeps. */
const OWN_VARIABLE = /^(?:WEIR_|(?:DATABASE|REDIS|CLICKHOUSE)_URL$)/

const isGiven = (name: string, given: readonly string[]): boolean =>
  !OWN_VARIABLE.test(name) &&
  given.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry))

/** Logins with the identity of this machine, by the field that asks for them. */
const MACHINE_LOGINS: readonly (readonly [field: string, values: readonly string[]])[] = [
  ['aws_auth_type', ['assumedRole', 'serviceRole']],
  ['azure_auth_mode', ['managed', 'default']],
  ['vault_auth_type', ['kubernetes']],
]

const loginProblem = (
  { auth }: { readonly auth: Readonly<Record<string, string | undefined>> },
  { settings, trusts }: Pick<SecretMeans, 'settings' | 'trusts'>,
): Problem | undefined => {
  const machine = MACHINE_LOGINS.find(([field, values]) => values.includes(auth[field] ?? ''))
  if (machine !== undefined && !settings.machineLogin) {
    const message =
      "asks for the identity of the gateway's machine, which the operator does not give (`secrets.machineLogin`)"
    return { field: machine[0], message }
  }
  const address = auth.vault_addr
  if (address === undefined || trusts(address)) return undefined
  if (auth.vault_auth_type === 'kubernetes') {
    const message =
      "must be a host that the operator trusts (`egress.trustedHosts`): it gets the token of the gateway's machine"
    return { field: 'vault_addr', message }
  }
  if (!address.startsWith('https://')) {
    return { field: 'vault_addr', message: 'must begin with https:// unless the operator trusts the host' }
  }
  return undefined
}
