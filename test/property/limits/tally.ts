/** What happened, so that a test can see that everything did. */
export type Tally = Record<
  'admitted' | 'later' | 'never' | 'waits' | 'refunds' | 'debts' | 'lost' | 'back' | 'leaps' | 'resets' | 'changes',
  number
>

export const emptyTally = (): Tally => ({
  admitted: 0,
  later: 0,
  never: 0,
  waits: 0,
  refunds: 0,
  debts: 0,
  lost: 0,
  back: 0,
  leaps: 0,
  resets: 0,
  changes: 0,
})
