import type { Charge } from '../../../src/limits/ring/ring-store.ts'
import { grainOf, type LimitUnit } from '../../../src/limits/ring/units.ts'

/** UUIDs, as stored policies and workspaces have: they are what makes a key long. */
export const WORKSPACE_ID = '9b2f3f0e-5d0a-4b62-9a53-0d5f6f2c1a77'
const LIMIT_ID = '3c2b1a00-5d0a-4b62-9a53-0d5f6f2c1a7'

export interface ChargeShape {
  readonly unit?: LimitUnit
  readonly limit?: number
  readonly weight?: number
  readonly group?: string
}

/** A charge of the limit of this number. */
export const chargeOf = (number: number, shape: ChargeShape = {}): Charge => {
  const { unit = 'rpm', limit = 1_000_000_000, weight = 1, group = 'AAAAAAAAAAAAAAAAAAAAAA' } = shape
  return {
    key: {
      workspaceId: WORKSPACE_ID,
      limitId: `${LIMIT_ID}${number % 10}`,
      unit,
      group,
      label: '[["metadata._user","anna"]]',
    },
    limit,
    weight,
    grain: grainOf(unit, limit, false),
    shadow: false,
  }
}

/** One charge for each of the first `count` limits. */
export const chargesOf = (count: number, shape?: ChargeShape): Charge[] =>
  Array.from({ length: count }, (_, number) => chargeOf(number, shape))

/** A group of 22 characters. */
export const groupOf = (number: number): string => String(number).padStart(22, 'g')
