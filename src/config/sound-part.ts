import { defined } from '../core/defined.ts'
import { check } from '../core/json/check.ts'
import { isRecord } from '../core/json/record.ts'
import type { Violation } from '../errors/gateway-error.ts'
import { OperatorConfig } from './schema.ts'

/** A config with holes where an entry of `plugins` could not be read. */
export type SoundConfig = Omit<OperatorConfig, 'plugins'> & {
  readonly plugins: readonly (OperatorConfig['plugins'][number] | undefined)[]
}

/** What is left of a config without the sections, and the entries of `plugins`, that the violations name; else the defaults. */
export const soundPart = (value: unknown, violations: readonly Violation[]): SoundConfig => {
  const steps = violations.map(({ path }) => /^(?<section>[^.[]*)(?:\[(?<index>[0-9]+)\])?/.exec(path)?.groups ?? {})
  const wrong = new Set(steps.filter(({ index }) => index === undefined).map(({ section }) => section))
  const holes = new Set(steps.map(({ index }) => Number(index)))
  const sections = Object.entries(isRecord(value) ? value : {}).filter(([section]) => !wrong.has(section))
  const { plugins, ...others } = Object.fromEntries(sections)
  const entries: readonly unknown[] | undefined = Array.isArray(plugins) ? plugins : undefined
  const listed = entries?.filter((_entry, index) => !holes.has(index))
  const checked = check(OperatorConfig, { ...others, ...defined({ plugins: listed }) })
  if (!checked.ok) return defaults()
  const remaining = checked.value.plugins.values()
  return {
    ...checked.value,
    ...defined({ plugins: entries?.map((_entry, index) => (holes.has(index) ? undefined : remaining.next().value)) }),
  }
}

const defaults = (): OperatorConfig => {
  const checked = check(OperatorConfig, {})
  if (!checked.ok) throw new Error('the defaults of the config are not valid')
  return checked.value
}
