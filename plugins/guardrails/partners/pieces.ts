/** Requests of one check that are under way at once. */
const AT_ONCE = 4

/** Runs every item, a few at once. The results stand in the order of the items. The first failure ends it. */
export const eachOf = async <Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = []
  const left = items.entries()
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (hasFailed) return
      try {
        results[index] = await run(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work))
  return results
}

/**
 * Cuts a text into pieces that a service takes, after a blank where there is one in the last quarter of a piece. Together they are
 * the text.
 * @param max characters (UTF-16 units, of which no service counts fewer) of a piece, at least 4
 */
export const cut = (text: string, max: number): readonly string[] => {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > max) {
    const end = endOfPiece(text, start, start + max)
    pieces.push(text.slice(start, end))
    start = end
  }
  pieces.push(text.slice(start))
  return pieces
}

const endOfPiece = (text: string, start: number, limit: number): number => {
  const earliest = limit - Math.floor((limit - start) / 4)
  for (let at = limit; at > earliest; at--) if (isBlank(text.charCodeAt(at - 1))) return at
  return isTrail(text.charCodeAt(limit)) ? limit - 1 : limit
}

const isBlank = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)

const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Neighbours as groups of at most so many. */
export const grouped = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** A part of a text, from its first character to behind its last. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly mask: string
}

/**
 * The text with masks instead of spans. Spans that touch or overlap become one, with the mask of the first.
 * @returns undefined when a span is none of the text: what it stands for is not known
 */
export const masked = (text: string, spans: readonly Span[]): string | undefined => {
  let written = ''
  let end = 0
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const isPlace = Number.isInteger(span.start) && Number.isInteger(span.end)
    if (!isPlace || span.start < 0 || span.end <= span.start || span.end > text.length) return undefined
    if (span.start >= end) written += text.slice(end, span.start) + span.mask
    end = Math.max(end, span.end)
  }
  return written + text.slice(end)
}

/** Turns counts of code points, as services in Python count, into places in a JavaScript string. */
export const unitOffsets = (text: string): ((codePoints: number) => number) => {
  if (!HAS_PAIRS.test(text)) return (codePoints) => codePoints
  const offsets: number[] = []
  let unit = 0
  for (const character of text) {
    offsets.push(unit)
    unit += character.length
  }
  offsets.push(unit)
  return (codePoints) => offsets[codePoints] ?? Number.NaN
}

const HAS_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/
