/** Works on each of many, so many at once. Gives the outcomes in the order of what was given. */
export const sideBySide = async <T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> => {
  const outcomes: PromiseSettledResult<R>[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      outcomes[index] = await work(item).then(
        (value) => ({ status: 'fulfilled', value }) as const,
        (reason: unknown) => ({ status: 'rejected', reason }) as const,
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return outcomes
}
