/** A header value of the form `value; name=text; name="text"`, taken apart. */
export interface Parametrised {
  /** Lower case: `multipart/form-data`. */
  readonly value: string
  /** By their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

const VALUE = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z/-]+)/
/** A quoted text without escaped quotes: readers disagree about where those end. */
const PARAMETER =
  /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\\r\n]|\\(?!["\\]))*)")/y
/** Anything but blanks and semicolons. */
const MORE = /[^ \t;]/

/**
 * Reads a header value with parameters, such as `Content-Type`, by the letter of RFC 9110, section 5.6.6.
 * @returns undefined for any that some reader could take otherwise: a parameter that comes twice, an escaped quote, two
 * values with a comma between them
 */
export const readParametrised = (header: string): Parametrised | undefined => {
  const [beginning, value] = VALUE.exec(header) ?? []
  if (beginning === undefined || value === undefined) return undefined
  const parameters = new Map<string, string>()
  let end = beginning.length
  for (;;) {
    PARAMETER.lastIndex = end
    const [whole, name, token, quoted] = PARAMETER.exec(header) ?? []
    if (whole === undefined || name === undefined) break
    const key = name.toLowerCase()
    if (parameters.has(key)) return undefined
    parameters.set(key, token ?? quoted ?? '')
    end += whole.length
  }
  const rest = header.slice(end)
  if (MORE.test(rest) || rest.indexOf(';') < rest.lastIndexOf(';')) return undefined
  return { value: value.toLowerCase(), parameters }
}
