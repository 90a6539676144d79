/** An error as log fields: class and message, and of its cause the same. Stacks stay out unless it is a fault of ours. */
export const errorFields = (thrown: unknown): Readonly<Record<string, unknown>> => {
  if (!(thrown instanceof Error)) return { error: String(thrown) }
  const { cause } = thrown
  return {
    error: `${thrown.name}: ${thrown.message}`,
    ...(cause === undefined
      ? {}
      : { cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }),
  }
}
