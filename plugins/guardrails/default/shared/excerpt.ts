const MAX_CHARACTERS = 100

/** The beginning of a text, for people. */
export const excerpt = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text

/** What a check of one text looks at: all texts, a line each. */
export const asOne = (texts: readonly string[]): string => (texts.length === 1 ? (texts[0] ?? '') : texts.join('\n'))

/** As `asOne`. @throws Error where there is nothing to look at */
export const someText = (texts: readonly string[]): string => {
  const text = asOne(texts)
  if (text.trim() === '') throw new Error('there is no text to look at')
  return text
}
