/**
 * Recognises addresses that a template of RFC 6570 may have made. Wide rather than narrow: an expression stands for any text
 * that is not empty, so that what is hidden stays hidden however it is written.
 */
export const matchesTemplate = (template: string, uri: string): boolean => {
  const parts = template.split(/\{[^{}]*\}/)
  if (parts.length === 1) return template === uri
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false
  // The parts between must follow one another: found from the left, each as early as can be.
  let at = first.length
  for (const part of rest) {
    const found = uri.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= uri.length - last.length
}
