/** A text without the slashes at its end. A pattern would look at each slash of a long row again and again. */
export const trimSlashes = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
