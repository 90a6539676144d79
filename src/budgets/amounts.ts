import type { BudgetType, BudgetUnits } from '../core/budgets.ts'

const UNITS_A_DOLLAR = 1_000_000_000

/** What the interface shows of units: dollars, tokens or requests. */
export const shownUnits = (type: BudgetType, units: BudgetUnits): number =>
  type === 'cost' ? units / UNITS_A_DOLLAR : units

/** An amount for people, and for programs that read the number in front: `0.42 USD`, `1200 tokens`, `1 request`. */
export const worded = (type: BudgetType, units: BudgetUnits): string => {
  if (type === 'cost') return `${dollars(units)} USD`
  return `${units} ${units === 1 ? type.slice(0, -1) : type}`
}

/** Plain decimals, whatever the size: `1e-9` is no price. */
const dollars = (units: BudgetUnits): string => {
  const whole = Math.floor(units / UNITS_A_DOLLAR)
  const rest = units - whole * UNITS_A_DOLLAR
  if (rest === 0) return String(whole)
  return `${whole}.${String(rest).padStart(9, '0').replace(/0+$/, '')}`
}
