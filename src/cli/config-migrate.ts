import { resolve } from 'node:path'
import { readCallConfig } from '../calls/config/read.ts'
import { type ConfigChange, isVersion1, migrateConfig } from '../calls/config/version-1.ts'
import { isRecord } from '../core/json/record.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/** Longest value that is shown of a field. */
const MAX_SHOWN = 120

/**
 * `weir config migrate FILE`: prints a config of version 1.0 as version 2.0, and on standard error what is different,
 * field by field. A config of version 2.0 is only checked. Exit code 1 when the file cannot be read, or when the result
 * would be refused; it is printed all the same. Settings of plugins that do not ship with Weir are not known here.
 */
export const configMigrateCommand = async (environment: Environment, args: readonly string[]): Promise<ExitCode> => {
  const [, file, ...more] = args
  if (file === undefined || more.length > 0) {
    environment.error('weir config: say which file: weir config migrate FILE\n')
    return 2
  }
  const value = await readJson(resolve(environment.folder, file))
  if (!isRecord(value)) {
    environment.error(`weir config: '${file}' is no file with a JSON object\n`)
    return 1
  }
  const isOld = isVersion1(value)
  const { config, changes } = isOld ? migrateConfig(value) : { config: value, changes: [] }
  await environment.out(`${JSON.stringify(config, null, 2)}\n`)
  environment.error(isOld ? changes.map(lineOf).join('') : 'This is version 2.0 already.\n')
  return tellViolations(environment, config)
}

const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await Bun.file(path).text())
  } catch {
    return undefined
  }
}

const tellViolations = (environment: Environment, config: Readonly<Record<string, unknown>>): ExitCode => {
  try {
    readCallConfig(config, { settingNames: new Set() })
    return 0
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    for (const { path, message } of thrown.options.violations ?? []) {
      environment.error(`not valid: ${path === '' ? 'the config' : path} ${message}\n`)
    }
    return 1
  }
}

const lineOf = ({ path, from, to }: ConfigChange): string => {
  if (to === undefined) return `- ${path}: ${shown(path, from)}\n`
  // Its targets are told one by one.
  if (path === 'options') return `~ options -> targets\n`
  const before = from === undefined ? '' : `${path}: ${shown(path, from)} -> `
  return `${from === undefined ? '+' : '~'} ${before}${to.path}: ${shown(to.path, to.value)}\n`
}

/** A value as JSON, with what may be a key left out. */
const shown = (path: string, value: unknown): string => {
  const text = isSecret(path.split('.').at(-1) ?? '')
    ? '…'
    : (JSON.stringify(value, (key, inner: unknown) => (isSecret(key) ? '…' : inner)) ?? 'nothing')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const isSecret = (key: string): boolean =>
  /key|secret|token|password|credential/i.test(key) && !/virtual_?key/i.test(key)
