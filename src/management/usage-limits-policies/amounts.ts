import { type BudgetType, MAX_COUNT, MAX_DOLLARS } from '../../core/budgets.ts'
import { invalidField } from '../invalid-field.ts'

/** Digits behind the point of a dollar that are told apart. */
const DIGITS = 9

/** @throws ManagementInvalid for a limit that could not be counted exactly, or an alert that would come too late */
export const checkAmounts = (
  type: BudgetType,
  {
    limit,
    alert,
    isAlertGiven,
  }: { readonly limit: number; readonly alert: number | null; readonly isAlertGiven: boolean },
): void => {
  checkAmount(type, limit, 'credit_limit')
  if (alert === null) return
  if (isAlertGiven) checkAmount(type, alert, 'alert_threshold')
  if (alert < limit) return
  if (isAlertGiven) throw invalidField('alert_threshold', `must be below \`credit_limit\`, which is ${limit}`)
  throw invalidField(
    'credit_limit',
    `must be above \`alert_threshold\`, which is ${alert}: give a lower one too, or null for none`,
  )
}

const checkAmount = (type: BudgetType, amount: number, field: string): void => {
  if (type !== 'cost') {
    if (!Number.isInteger(amount)) throw invalidField(field, `must be a whole number of ${type}`)
    return
  }
  if (amount > MAX_DOLLARS) throw invalidField(field, `must be at most ${MAX_DOLLARS} dollars`)
  if (Number(amount.toFixed(DIGITS)) === amount) return
  throw invalidField(field, `must have at most ${DIGITS} digits behind the point: less of a dollar is not told apart`)
}

/** Largest amount of any type. */
export const MAX_AMOUNT = Math.max(MAX_DOLLARS, MAX_COUNT)
