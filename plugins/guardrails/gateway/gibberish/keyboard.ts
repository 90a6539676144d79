/** Rows of keys: QWERTY, QWERTZ, AZERTY and the Russian keyboard. */
const ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
]

const neighbours = (rows: readonly string[]): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => Array.from(row.slice(1), (key, index) => `${row[index]}${key}`)))

const TO_THE_RIGHT = neighbours(ROWS)
const TO_THE_LEFT = neighbours(ROWS.map((row) => [...row].toReversed().join('')))

/** Keys of the shortest slide that counts: words of languages have shorter ones, as `property` has `erty`. */
const SHORTEST = 4

/** How many letters of a word a finger gets by sliding over keys that lie side by side: all of `qwerty` and `poiuyt`. */
export const lettersOfSlides = (word: string): number => {
  const slides = (pairs: ReadonlySet<string>): number => {
    let letters = 0
    for (let start = 0; start < word.length; ) {
      let end = start + 1
      while (pairs.has(word.slice(end - 1, end + 1))) end++
      if (end - start >= SHORTEST) letters += end - start
      start = end
    }
    return letters
  }
  return slides(TO_THE_RIGHT) + slides(TO_THE_LEFT)
}
