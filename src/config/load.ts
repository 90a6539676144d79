import { stat } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { defined } from '../core/defined.ts'
import { check } from '../core/json/check.ts'
import type { Violation } from '../errors/gateway-error.ts'
import { ConfigError, violationLine } from './config-error.ts'
import { resolveReferences } from './environment-references.ts'
import { OperatorConfig } from './schema.ts'
import { type SoundConfig, soundPart } from './sound-part.ts'
import { type ConfigSource, parseSource, plainSource, withPlace } from './source.ts'

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

/** What a config file is called that nobody names. */
export const CONFIG_NAMES = ['weir.config.ts', 'weir.config.yaml', 'weir.config.yml', 'weir.config.json']

export interface LoadOptions {
  readonly folder: string
  readonly file?: string
  /** In place of a file, what one would say. */
  readonly config?: unknown
  readonly env: Env
  /** Finds what else is wrong with a config, so that all faults are told at once. Gets what could be read of it. */
  readonly inspect?: (config: SoundConfig, folder: string) => Promise<readonly Violation[]>
}

/**
 * Finds, reads and checks the operator's file. The environment wins over the file (`HOST`, `PORT`), the file over the
 * defaults.
 * @throws ConfigError with one line for each fault, naming its place, the key and the nearest valid name.
 */
export const loadConfig = async (options: LoadOptions): Promise<LoadedConfig> => {
  const { folder: start, file: given, config, env, inspect } = options
  const isGiven = config !== undefined
  const file = isGiven ? undefined : given === undefined ? await findFile(start) : resolve(start, given)
  const folder = file === undefined ? start : dirname(file)
  const source = isGiven
    ? plainSource('config', config)
    : file === undefined
      ? plainSource('environment', {})
      : await readFile(file)
  const { value, violations: missing } = resolveReferences(source.value, env)
  const checked = check(OperatorConfig, value, Number.POSITIVE_INFINITY)
  const ofSchema = checked.ok ? [] : checked.violations
  const sound = withEnvironment(checked.ok ? checked.value : soundPart(value, ofSchema), env)
  const wrong = [...ofSchema, ...((await inspect?.(sound.config, folder)) ?? [])]
  // What is wrong with a text in which a variable is missing is that it is missing.
  const others = wrong.filter(({ path }) => !missing.some((reference) => reference.path === path))
  const lines = [...sound.problems, ...placedLines(source, [...missing, ...others])]
  if (lines.length > 0 || !checked.ok) throw new ConfigError(lines.join('\n'))
  return defined({
    config: withEnvironment(checked.value, env).config,
    folder,
    version: Bun.hash(JSON.stringify(checked.value)).toString(16).slice(0, 12),
    file,
  })
}

/** In the order of the file; what has no place there comes last. */
const placedLines = (source: ConfigSource, violations: readonly Violation[]): readonly string[] => {
  const last = { line: Number.POSITIVE_INFINITY, column: 0 }
  return violations
    .map((violation) => ({ violation, place: source.placeOf(violation.path) }))
    .toSorted(({ place: left = last }, { place: right = last }) =>
      left.line === right.line ? left.column - right.column : left.line - right.line,
    )
    .map(({ violation, place }) => violationLine(violation, withPlace(source.name, place)))
}

const findFile = async (folder: string): Promise<string | undefined> => {
  const found: string[] = []
  for (const name of CONFIG_NAMES) {
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

const readFile = async (path: string): Promise<ConfigSource> => {
  const modified = await stat(path).catch((cause: unknown) => {
    throw new ConfigError(`${path}: the config file cannot be read`, { cause })
  })
  switch (extname(path)) {
    case '.ts':
      return plainSource(path, await importDefault(path, modified.mtimeMs))
    case '.json':
      return parseSource(path, await Bun.file(path).text(), 'json')
    case '.yaml':
    case '.yml':
      return parseSource(path, await Bun.file(path).text(), 'yaml')
    default:
      throw new ConfigError(`${path}: a config file ends in .ts, .yaml, .yml or .json`)
  }
}

/** A changed file is a new module by its query, which Bun 1.4 heeds behind a path and not behind a `file:` URL. */
const importDefault = async (path: string, modifiedMs: number): Promise<unknown> => {
  let module: { default?: unknown }
  try {
    module = await import(`${path}?modified=${modifiedMs}`)
  } catch (cause) {
    const where = cause instanceof BuildMessage && cause.position !== null ? cause.position : undefined
    throw new ConfigError(
      `${withPlace(path, where)}: ${cause instanceof Error || cause instanceof BuildMessage ? cause.message : String(cause)}`,
      { cause },
    )
  }
  if (module.default === undefined) throw new ConfigError(`${path}: the file has no default export`)
  return module.default
}

/** Lays the environment over a config. A problem is a whole line. */
const withEnvironment = <Config extends SoundConfig>(
  config: Config,
  env: Env,
): { readonly config: Config; readonly problems: readonly string[] } => {
  const problems: string[] = []
  const portOf = <Fallback>(variable: string, text: string | undefined, fallback: Fallback): number | Fallback => {
    if (!text) return fallback
    if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
    problems.push(`${variable}: '${text}' is not a port`)
    return fallback
  }
  const { server, metrics } = config
  return {
    config: {
      ...config,
      server: {
        ...server,
        port: portOf('PORT', env.PORT, server.port),
        host: env.HOST || server.host,
        trustedProxies: [...server.trustedProxies, ...listOf(env.WEIR_TRUSTED_PROXIES)],
      },
      metrics: {
        host: env.WEIR_METRICS_HOST || metrics.host,
        ...defined({ port: portOf('WEIR_METRICS_PORT', env.WEIR_METRICS_PORT, metrics.port) }),
      },
      egress: { trustedHosts: [...config.egress.trustedHosts, ...listOf(env.WEIR_TRUSTED_HOSTS)] },
    },
    problems,
  }
}

/** `a, b` as a list, empty parts left out. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
