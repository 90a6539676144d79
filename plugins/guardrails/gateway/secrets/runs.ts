/** Characters of keys and tokens, and of the paths and names that they stand in. */
const IN_RUN: readonly boolean[] = Array.from({ length: 128 }, (_, code) => /[\w+/.~-]/.test(String.fromCharCode(code)))

/** Characters of the shortest run. */
export const MIN_RUN = 16

/**
 * Calls back for each run of 16 or more characters that keys are made of. Looks at every sixteenth character alone where there
 * is none, as in prose.
 */
export const eachRun = (text: string, visit: (start: number, end: number) => void): void => {
  const { length } = text
  for (let probe = MIN_RUN - 1; probe < length; ) {
    if (IN_RUN[text.charCodeAt(probe)] !== true) {
      probe += MIN_RUN
      continue
    }
    let start = probe
    while (start > 0 && IN_RUN[text.charCodeAt(start - 1)] === true) start--
    let end = probe + 1
    while (end < length && IN_RUN[text.charCodeAt(end)] === true) end++
    if (end - start >= MIN_RUN) visit(start, end)
    probe = end + MIN_RUN
  }
}

/** Shannon's entropy: bits for each character. */
export const entropyOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
