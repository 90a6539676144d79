import type { CheckInput } from '#kit'

const MAX_CHARACTERS = 100

/** The beginning of a text, for people. */
export const excerpt = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text

type Said = Pick<CheckInput, 'texts' | 'kinds'>

/** What counts as what was said: words before what goes to tools, and thoughts only where there is nothing else. */
const SAID: readonly CheckInput['kinds'][] = [['text', 'tool-result'], ['tool-arguments'], ['reasoning']]

/** What a check of one text looks at: all that was said, a line each. What hosts say in two places counts once. */
export const asOne = ({ texts, kinds }: Said): string => {
  if (texts.length < 2) return texts[0] ?? ''
  for (const wanted of SAID) {
    const said = texts.filter((_, index) => wanted.includes(kinds[index] ?? 'text'))
    if (said.length > 0) return [...new Set(said)].join('\n')
  }
  return ''
}

/** As `asOne`. @throws Error where there is nothing to look at */
export const someText = (said: Said): string => {
  const text = asOne(said)
  if (text.trim() === '') throw new Error('there is no text to look at')
  return text
}
