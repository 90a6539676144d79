import type { Spent } from '#core/limits'
import type { Finish } from '#kit'

/** What limits count of a call that is over. */
export const spentBy = ({ usage, reachedProvider }: Finish): Spent => {
  const { totalTokens = 0, outputTokens = 0 } = usage?.ownCount ?? usage ?? {}
  return { reachedProvider, totalTokens, outputTokens }
}
