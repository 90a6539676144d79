/** A fault, put into the code on purpose: a test suite that does not see it proves less than it seems to. */
export interface Mutant {
  readonly name: string
  /** From the root of the repository. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files that have to see it, from the root of the repository, with spaces between them. */
  readonly suite: string
}

/** @throws Error when the place is not there, or there more than once: the code has moved on */
export const mutate = (text: string, { name, file, find, replace }: Mutant): string => {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`"${name}": its place is in ${file} ${parts.length - 1} times, not once`)
  return parts.join(replace)
}
