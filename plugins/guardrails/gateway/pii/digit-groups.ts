/** Digits of a text that stand together, as ranges: `start[i]` to `end[i]`. */
export interface DigitGroups {
  readonly text: string
  readonly count: number
  start(group: number): number
  end(group: number): number
  /** How many digits. */
  size(group: number): number
  /**
   * Whether the next group belongs to the same number: what stands between them is short and all of these characters.
   * @param between lists characters by code
   */
  joinsNext(group: number, between: CharacterSet): boolean
}

/** ASCII characters, by code. */
export type CharacterSet = readonly boolean[]

export const setOf = (characters: string): CharacterSet => {
  const set: boolean[] = new Array(128).fill(false)
  for (const character of characters) set[character.charCodeAt(0)] = true
  return set
}

/** Characters between two groups of one number, at most: `4111 - 1111`, `+1 (415) 555`. */
const MAX_BETWEEN = 3

/** Finds the groups of digits of a folded text, in one pass. */
export const digitGroups = (text: string): DigitGroups => {
  const starts: number[] = []
  const ends: number[] = []
  const pattern = /\d+/g
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    starts.push(found.index)
    ends.push(pattern.lastIndex)
  }
  const start = (group: number): number => starts[group] ?? text.length
  const end = (group: number): number => ends[group] ?? text.length
  return {
    text,
    count: starts.length,
    start,
    end,
    size: (group) => end(group) - start(group),
    joinsNext(group, between) {
      const next = group + 1
      if (next >= starts.length) return false
      const [from, to] = [end(group), start(next)]
      if (to - from > MAX_BETWEEN) return false
      for (let index = from; index < to; index++) if (between[text.charCodeAt(index)] !== true) return false
      return true
    },
  }
}

/** The digits of groups that follow each other. */
export const digitsOf = (groups: DigitGroups, first: number, last: number): string => {
  let digits = ''
  for (let group = first; group <= last; group++) digits += groups.text.slice(groups.start(group), groups.end(group))
  return digits
}

/** Whether a character is a letter, digit or underscore of ASCII, as a word of code has them. */
export const isWord = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index) | 0
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
