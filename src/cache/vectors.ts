/** Forms of a vector in the database. */

/** Writes a vector as pgvector reads it. */
export const toLiteral = (vector: readonly number[]): string => `[${vector.join(',')}]`

/** Four bytes a number, little-endian. */
export const toBytes = (vector: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes
}

export const fromBytes = (bytes: Uint8Array): Float32Array => {
  // A copy: what a driver hands out may begin anywhere in its buffer.
  const copy = Uint8Array.from(bytes)
  return new Float32Array(copy.buffer, 0, Math.floor(copy.length / 4))
}

/** Cosine: 1 for the same direction, 0 for vectors that have none, or are of different lengths. */
export const similarityOf = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  if (one.length !== other.length) return 0
  let product = 0
  let oneSquared = 0
  let otherSquared = 0
  for (let index = 0; index < one.length; index++) {
    const left = one[index] ?? 0
    const right = other[index] ?? 0
    product += left * right
    oneSquared += left * left
    otherSquared += right * right
  }
  const lengths = Math.sqrt(oneSquared) * Math.sqrt(otherSquared)
  return lengths === 0 ? 0 : product / lengths
}
