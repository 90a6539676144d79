import { isRecord } from '#core/json/record'
import type { PricedUnit } from '#core/price-form'
import type { Part } from './parts.ts'

/** Factors on the price list, as an integration has them (`pricing_adjustments`). */
export interface Factors {
  /** Where nothing else is said. */
  readonly standard: number
  /** Of the part itself; undefined where none is given. */
  ofPart(part: Part): number | undefined
  ofUnit(unit: PricedUnit): number
  readonly image: number
}

/** Names of the interface for each part, the one that says most first. */
const NAMES: Readonly<Record<Part, readonly string[]>> = {
  input: ['request_text_token', 'request_token'],
  output: ['response_text_token', 'response_token'],
  cacheRead: ['cache_read_text_input_token', 'cache_read_input_token'],
  cacheWrite: ['cache_write_text_input_token', 'cache_write_input_token'],
  hourWrite: ['cache_write_text_input_token', 'cache_write_input_token'],
  audioInput: ['request_audio_token'],
  cachedAudio: ['cache_read_audio_input_token'],
  imageInput: ['request_image_token'],
  reasoning: ['reasoning_token'],
  audioOutput: ['response_audio_token'],
  imageOutput: ['response_image_token'],
}

/** Undefined where nothing is changed. */
export const toFactors = (adjustments: unknown): Factors | undefined => {
  const given = isRecord(adjustments) && isRecord(adjustments.multiplier) ? adjustments.multiplier : undefined
  if (given === undefined || Object.keys(given).length === 0) return undefined
  const read = (from: unknown, name: string): number | undefined => {
    const value = isRecord(from) ? from[name] : undefined
    return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined
  }
  const standard = read(given, 'default') ?? 1
  return {
    standard,
    ofPart: (part) => {
      for (const name of NAMES[part]) {
        const value = read(given, name)
        if (value !== undefined) return value
      }
      return undefined
    },
    ofUnit: (unit) => read(given.additional_units, unit) ?? standard,
    image: read(given.image, 'default') ?? standard,
  }
}
