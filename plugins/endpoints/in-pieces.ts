/** A text goes out in a few pieces: clients draw them as they come. */
const PIECES = 4

/** The text in order, cut into a few pieces; never a character in two. */
export const inPieces = (text: string): string[] => {
  const pieces: string[] = []
  const size = Math.ceil(text.length / PIECES)
  for (let start = 0; start < text.length; ) {
    const end = start + size
    const isCut = isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length
    pieces.push(text.slice(start, isCut ? end + 1 : end))
    start = isCut ? end + 1 : end
  }
  return pieces
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
