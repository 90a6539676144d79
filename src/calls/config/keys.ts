import { isRecord } from '../../core/json/record.ts'
import { type Findings, itemAt, keyAt } from './findings.ts'

/** Spellings that the rule cannot tell. */
const SPELLINGS: Readonly<Record<string, string>> = {
  strictOpenAICompliance: 'strict_open_ai_compliance',
  strictOpenaiCompliance: 'strict_open_ai_compliance',
  strict_openai_compliance: 'strict_open_ai_compliance',
  useRetryAfterHeaders: 'use_retry_after_header',
  use_retry_after_headers: 'use_retry_after_header',
  // From `softDeny200`.
  soft_deny200: 'soft_deny_200',
  // The headers of these have the longer name (behaviour reference, section 1.3), and so have stored providers.
  azure_resource_name: 'resource_name',
  azure_deployment_id: 'deployment_id',
  azure_api_version: 'api_version',
}

/** `requestTimeout` as `request_timeout`. */
export const canonicalKey = (key: string): string =>
  spelling(key) ?? respelt(key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const respelt = (key: string): string => spelling(key) ?? key

const spelling = (key: string): string | undefined => (Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined)

/**
 * The fields of one object of a config by the names of the interface. Only its own keys are renamed: what stands inside
 * `override_params` belongs to the provider.
 */
export const canonicalFields = (
  fields: Readonly<Record<string, unknown>>,
  path: string,
  findings: Findings,
): Record<string, unknown> => {
  const keys = new Map<string, string>()
  for (const key of Object.keys(fields)) {
    const name = canonicalKey(key)
    const earlier = keys.get(name)
    keys.set(name, key)
    findings.spelt(keyAt(path, name), keyAt(findings.written(path), key))
    if (earlier !== undefined) findings.add(keyAt(path, name), `is there twice, as '${earlier}' and as '${key}'`)
  }
  return Object.fromEntries([...keys].map(([name, key]) => [name, fields[key]]))
}

/** Which inner objects have keys of the interface, by the name they stand under; all others keep their keys as they are. */
export interface Shape {
  readonly [name: string]: Shape | readonly [Shape]
}

/** Renames the keys of the inner objects of a shape. What is of another form than it should be stays, for the check. */
export const canonicalInner = (
  fields: Readonly<Record<string, unknown>>,
  shape: Shape,
  path: string,
  findings: Findings,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
      return [name, inner === undefined ? value : canonicalValue(value, inner, keyAt(path, name), findings)]
    }),
  )

const canonicalValue = (value: unknown, shape: Shape | readonly [Shape], path: string, findings: Findings): unknown => {
  if (isList(shape)) {
    if (!Array.isArray(value)) return value
    return value.map((item: unknown, index) => canonicalValue(item, shape[0], itemAt(path, index), findings))
  }
  return isRecord(value) ? canonicalInner(canonicalFields(value, path, findings), shape, path, findings) : value
}

const isList = (shape: Shape | readonly [Shape]): shape is readonly [Shape] => Array.isArray(shape)
