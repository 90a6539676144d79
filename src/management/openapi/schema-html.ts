import { isRecord } from '../../core/json/record.ts'
import { OUTSIDE_TAG } from '../preconditions/entity-tag.ts'
import { escapeHtml, prose } from './html.ts'
import type { JsonSchema } from './types.ts'

/** Schemas inside schemas are shown down to here. */
const MAX_DEPTH = 8

/** A schema as nested lists: one line a field, what is inside it below. */
export const schemaHtml = (schema: JsonSchema, depth = 0): string => {
  if (depth > MAX_DEPTH) return ''
  const { properties, items, anyOf, patternProperties } = schema
  if (isRecord(properties)) return fieldsHtml(properties, requiredOf(schema), depth)
  if (isRecord(items)) return schemaHtml(items, depth + 1)
  if (isRecord(patternProperties)) {
    return Object.values(patternProperties)
      .filter(isRecord)
      .map((value) => schemaHtml(value, depth + 1))
      .join('')
  }
  if (Array.isArray(anyOf)) {
    return anyOf
      .filter(isRecord)
      .map((form) => schemaHtml(form, depth + 1))
      .join('')
  }
  return ''
}

const fieldsHtml = (properties: JsonSchema, required: readonly string[], depth: number): string => {
  const lines = Object.entries(properties).map(([name, value]) => {
    const schema = isRecord(value) ? value : {}
    const description = typeof schema.description === 'string' ? ` ${prose(schema.description)}` : ''
    const star = required.includes(name) && schema.default === undefined ? ' <b>required</b>' : ''
    const outside = schema[OUTSIDE_TAG] === true ? ' Not part of the <code>ETag</code>.' : ''
    const type = `<i>${escapeHtml(typeText(schema))}</i>`
    return `<li><code>${escapeHtml(name)}</code> ${type}${star}${description}${outside}${schemaHtml(schema, depth + 1)}</li>`
  })
  return lines.length === 0 ? '' : `<ul>${lines.join('')}</ul>`
}

/** The type in a few words: `integer, 1 to 100, default 50`. */
export const typeText = (schema: JsonSchema): string =>
  [
    nameOf(schema),
    bounds(schema.minimum, schema.maximum, ''),
    bounds(schema.minLength, schema.maxLength, ' characters'),
    bounds(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

const nameOf = (schema: JsonSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.filter(isRecord).map(nameOf))].join(' or ')
  if (schema.type === 'array') return `array of ${isRecord(schema.items) ? nameOf(schema.items) : 'anything'}`
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  return typeof schema.type === 'string' ? schema.type : 'anything'
}

const bounds = (least: unknown, most: unknown, unit: string): string => {
  if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}${unit}`
  if (typeof least === 'number') return `at least ${least}${unit}`
  return typeof most === 'number' ? `at most ${most}${unit}` : ''
}

const requiredOf = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
