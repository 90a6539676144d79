import { ConfigError } from '../../config/config-error.ts'

type Variables = Readonly<Record<string, string | undefined>>

export const SIGNALS = ['traces', 'metrics', 'logs'] as const
export type Signal = (typeof SIGNALS)[number]

/** Where one kind of data goes. */
export interface SignalTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly encoding: 'protobuf' | 'json'
  readonly compression: 'gzip' | 'none'
  readonly timeoutMs: number
}

/** What the standard variables of OpenTelemetry ask for. */
export interface OtlpSettings {
  readonly targets: Readonly<Partial<Record<Signal, SignalTarget>>>
  readonly resource: Readonly<Record<string, string>>
  /** Share of new traces that are kept, 0 to 1. */
  readonly ratio: number
  /** The parent of a trace decides, where there is one. */
  readonly isParentBased: boolean
  readonly metricIntervalMs: number
  /** Spans, or log records, that may wait; more are dropped and counted. */
  readonly maxQueue: number
  /** Spans and events of calls carry what was asked and answered. */
  readonly capturesContent: boolean
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_METRIC_MS = 60_000
const DEFAULT_QUEUE = 2_048

/**
 * Reads them (OpenTelemetry specification 1.50, "Environment Variable Specification" and "OTLP Exporter", read 2026-11-22).
 * @returns nothing where no endpoint is named, or `OTEL_SDK_DISABLED` is true
 * @throws ConfigError naming the variable
 */
export const readOtlpSettings = (variables: Variables): OtlpSettings | undefined => {
  if (variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const targets: Partial<Record<Signal, SignalTarget>> = {}
  for (const signal of SIGNALS) {
    const target = targetOf(variables, signal)
    if (target !== undefined) targets[signal] = target
  }
  if (Object.keys(targets).length === 0) return undefined
  return {
    targets,
    resource: { 'service.name': 'weir', ...pairs(variables, 'OTEL_RESOURCE_ATTRIBUTES'), ...serviceName(variables) },
    ...samplerOf(variables),
    metricIntervalMs: whole(variables, 'OTEL_METRIC_EXPORT_INTERVAL', DEFAULT_METRIC_MS),
    maxQueue: whole(variables, 'OTEL_BSP_MAX_QUEUE_SIZE', DEFAULT_QUEUE),
    capturesContent: variables.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === 'true',
  }
}

const targetOf = (variables: Variables, signal: Signal): SignalTarget | undefined => {
  const exporter = variables[`OTEL_${signal.toUpperCase()}_EXPORTER`] || 'otlp'
  if (exporter === 'none') return undefined
  if (exporter !== 'otlp')
    throw new ConfigError(`OTEL_${signal.toUpperCase()}_EXPORTER must be otlp or none, not '${exporter}'.`)
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_`
  const shared = 'OTEL_EXPORTER_OTLP_'
  const either = (name: string): [variable: string, value: string | undefined] =>
    variables[own + name] ? [own + name, variables[own + name]] : [shared + name, variables[shared + name] || undefined]
  const [variable, endpoint] = either('ENDPOINT')
  if (endpoint === undefined) return undefined
  const [protocolVariable, protocol = 'http/protobuf'] = either('PROTOCOL')
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    throw new ConfigError(`${protocolVariable} must be http/protobuf or http/json, not '${protocol}'.`)
  const [compressionVariable, compression = 'none'] = either('COMPRESSION')
  if (compression !== 'gzip' && compression !== 'none')
    throw new ConfigError(`${compressionVariable} must be gzip or none, not '${compression}'.`)
  const [timeoutVariable] = either('TIMEOUT')
  return {
    // Only the address of one signal is whole.
    url: urlOf(variable, endpoint, variable.startsWith(own) ? '' : `/v1/${signal}`),
    headers: { ...pairs(variables, `${shared}HEADERS`), ...pairs(variables, `${own}HEADERS`) },
    encoding: protocol === 'http/json' ? 'json' : 'protobuf',
    compression,
    timeoutMs: whole(variables, timeoutVariable, DEFAULT_TIMEOUT_MS),
  }
}

const urlOf = (variable: string, endpoint: string, path: string): string => {
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`${variable} must be an http or https URL.`)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}

/** `key=value` pairs with commas between them, percent-encoded as in baggage. */
const pairs = (variables: Variables, variable: string): Readonly<Record<string, string>> => {
  const text = variables[variable]?.trim()
  if (!text) return {}
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new ConfigError(`${variable} must be a list of name=value with commas between them.`)
      return [decoded(pair.slice(0, at).trim()), decoded(pair.slice(at + 1).trim())]
    }),
  )
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const serviceName = ({ OTEL_SERVICE_NAME: name }: Variables): Readonly<Record<string, string>> =>
  name ? { 'service.name': name } : {}

const samplerOf = (variables: Variables): Pick<OtlpSettings, 'ratio' | 'isParentBased'> => {
  const name = variables.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const isParentBased = name.startsWith('parentbased_')
  const root = isParentBased ? name.slice('parentbased_'.length) : name
  if (root === 'always_on') return { ratio: 1, isParentBased }
  if (root === 'always_off') return { ratio: 0, isParentBased }
  if (root !== 'traceidratio')
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them behind parentbased_, not '${name}'.`,
    )
  const ratio = Number(variables.OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  return { ratio, isParentBased }
}

const whole = (variables: Variables, variable: string, fallback: number): number => {
  const text = variables[variable]
  if (!text) return fallback
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new ConfigError(`${variable} must be a whole number, at least 1.`)
  return Number(text)
}
