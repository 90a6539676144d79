/** Names that are told: they stand in a header and in the log, and a client may make up any number of them. */
const MAX_NAMES = 50
const MAX_NAME_CHARACTERS = 100

/**
 * Parameters that the provider did not get, as the header and the log name them: in characters that a header may hold, and
 * where there are more than anybody reads, how many.
 */
export const lostParams = (names: readonly string[]): readonly string[] => {
  if (names.length === 0) return names
  const told = names.slice(0, MAX_NAMES).map(printable)
  return names.length > MAX_NAMES ? [...told, `and ${names.length - MAX_NAMES} more`] : told
}

const printable = (name: string): string => {
  const cut = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}...` : name
  return cut.replace(/[^\x20-\x2b\x2d-\x7e]/g, '?')
}
