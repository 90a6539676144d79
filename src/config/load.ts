import { stat } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { check } from '../kit/check.ts'
import { ConfigError, toConfigError } from './config-error.ts'
import { resolveReferences } from './environment-references.ts'
import { OperatorConfig } from './schema.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface LoadedConfig {
  readonly config: OperatorConfig
  /** Absolute; absent when there is no file and the defaults run. */
  readonly file?: string
  /** Folder that relative plugin paths start from. */
  readonly folder: string
  /** Changes when the content of the file does; shown by `/readyz`. */
  readonly version: string
}

const NAMES = ['weir.config.ts', 'weir.config.yaml', 'weir.config.yml', 'weir.config.json']

/**
 * Finds, reads and checks the operator's file. The environment wins over the file (`HOST`, `PORT`), the file over the
 * defaults.
 * @throws ConfigError with one line for each fault, naming the key and the nearest valid name.
 */
export const loadConfig = async (options: {
  readonly folder: string
  readonly file?: string
  readonly env: Env
}): Promise<LoadedConfig> => {
  const file = options.file === undefined ? await findFile(options.folder) : resolve(options.folder, options.file)
  const raw = file === undefined ? {} : await readFile(file)
  const where = file ?? 'environment'
  const checked = check(OperatorConfig, resolveReferences(raw, options.env))
  if (!checked.ok) throw toConfigError(where, checked.violations)
  return {
    config: withEnvironment(checked.value, options.env),
    folder: file === undefined ? options.folder : dirname(file),
    version: Bun.hash(JSON.stringify(checked.value)).toString(16).slice(0, 12),
    ...(file === undefined ? {} : { file }),
  }
}

const findFile = async (folder: string): Promise<string | undefined> => {
  const found: string[] = []
  for (const name of NAMES) {
    const path = resolve(folder, name)
    if (
      await stat(path).then(
        (entry) => entry.isFile(),
        () => false,
      )
    )
      found.push(path)
  }
  if (found.length > 1) throw new ConfigError(`more than one config file: ${found.join(', ')}; keep one`)
  return found[0]
}

const readFile = async (path: string): Promise<unknown> => {
  const modified = await stat(path).catch((cause: unknown) => {
    throw new ConfigError(`${path}: the config file cannot be read`, { cause })
  })
  try {
    switch (extname(path)) {
      case '.ts':
        return await importDefault(path, modified.mtimeMs)
      case '.json':
        return JSON.parse(await Bun.file(path).text())
      case '.yaml':
      case '.yml':
        return Bun.YAML.parse(await Bun.file(path).text()) ?? {}
      default:
        throw new ConfigError(`${path}: a config file ends in .ts, .yaml, .yml or .json`)
    }
  } catch (thrown) {
    if (thrown instanceof ConfigError) throw thrown
    throw new ConfigError(`${path}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown })
  }
}

/** A changed file is a new module by its query, which Bun 1.4 heeds behind a path and not behind a `file:` URL. */
const importDefault = async (path: string, modifiedMs: number): Promise<unknown> => {
  const module: { default?: unknown } = await import(`${path}?modified=${modifiedMs}`)
  if (module.default === undefined) throw new ConfigError(`${path}: the file has no default export`)
  return module.default
}

const withEnvironment = (config: OperatorConfig, env: Env): OperatorConfig => {
  const port = env.PORT === undefined || env.PORT === '' ? config.server.port : readPort(env.PORT)
  const host = env.HOST === undefined || env.HOST === '' ? config.server.host : env.HOST
  return {
    ...config,
    server: { ...config.server, port, host },
    egress: { trustedHosts: [...config.egress.trustedHosts, ...listOf(env.WEIR_TRUSTED_HOSTS)] },
  }
}

const readPort = (text: string): number => {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65535) throw new ConfigError(`PORT: '${text}' is not a port`)
  return Number(text)
}

/** `a, b` as a list, empty parts left out. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
