/** Samples of 16 bits, lowest byte first, one channel. */
export interface Pcm {
  readonly bytes: Uint8Array
  /** Samples a second. */
  readonly rate: number
}

const HEAD_BYTES = 44
const BYTES_A_SAMPLE = 2

/** Samples as a WAV file (RIFF WAVE, "Multimedia Programming Interface and Data Specifications 1.0"). */
export const toWav = ({ bytes, rate }: Pcm): Uint8Array => {
  const file = Buffer.alloc(HEAD_BYTES + bytes.length)
  file.write('RIFF', 0)
  file.writeUInt32LE(HEAD_BYTES - 8 + bytes.length, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  // PCM, one channel.
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * BYTES_A_SAMPLE, 28)
  file.writeUInt16LE(BYTES_A_SAMPLE, 32)
  file.writeUInt16LE(BYTES_A_SAMPLE * 8, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes.length, 40)
  file.set(bytes, HEAD_BYTES)
  return file
}

/** The samples of a WAV file, without its head; nothing for what is none. */
export const samplesOf = (file: Uint8Array): Uint8Array | undefined => {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (view.toString('latin1', 0, 4) !== 'RIFF' || view.toString('latin1', 8, 12) !== 'WAVE') return undefined
  for (let at = 12; at + 8 <= view.length; ) {
    const size = view.readUInt32LE(at + 4)
    if (view.toString('latin1', at, at + 4) === 'data') return view.subarray(at + 8, at + 8 + size)
    // Chunks begin at even places.
    at += 8 + size + (size % 2)
  }
  return undefined
}
