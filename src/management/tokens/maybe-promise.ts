/** A value that is here already in the common case, so that nobody has to wait for a turn of the event loop. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with the value, at once when it is here. */
export const andThen = <From, To>(
  value: MaybePromise<From>,
  next: (value: From) => MaybePromise<To>,
): MaybePromise<To> => (value instanceof Promise ? value.then(next) : next(value))
