import type { CounterKey, OwnBudget, OwnedBudgets } from '../core/budgets.ts'
import { hashGroup } from '../limits/match/groups.ts'

/** Characters of an owner's id in a label: it may be any text, such as the subject of a foreign token. */
const LONGEST_ID = 128

/** Names the counts of an owner's budgets of one type, whatever the period. */
export const ownedKey = (
  { owner, id }: Pick<OwnedBudgets, 'owner' | 'id'>,
  type: OwnBudget['type'],
  workspaceId: string,
): Omit<CounterKey, 'startMs'> => ({ workspaceId, budgetId: `${owner}.${type}`, group: hashGroup(owner, id) })

/** The owner as JSON, for people. */
export const ownedLabel = ({ owner, id }: Pick<OwnedBudgets, 'owner' | 'id'>): string =>
  JSON.stringify([[owner, id.slice(0, LONGEST_ID)]])
