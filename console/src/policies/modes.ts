/** What a policy does with calls that it counts. */
export const MODES = { enforce: 'Refuses calls', shadow: 'Counts and refuses nothing' } as const
