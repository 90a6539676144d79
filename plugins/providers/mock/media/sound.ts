import { createHash } from 'node:crypto'
import { MockRefusal } from '../refusal.ts'
import { countWords } from '../text.ts'
import type { MediaCall } from './index.ts'

/** Samples of 16 bits a second, one channel: as OpenAI's `pcm` has them. */
const RATE = 24_000
const SAMPLE_BYTES = 2
/** The mock says four words a second. */
const PIECES_A_WORD = 5
const PIECE_SAMPLES: number = RATE / 4 / PIECES_A_WORD
/** One frame of silence: MPEG 1, layer III, 128 kbit/s, 44.1 kHz (ISO/IEC 11172-3). */
const MP3_FRAME: Uint8Array = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)])
const MP3_FRAMES_A_PIECE = 2

const TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm: 'audio/pcm' }

export interface MadeSound {
  /** Content type. */
  readonly type: string
  readonly pieces: () => Iterable<Uint8Array>
  readonly events: () => Iterable<string>
}

/**
 * A tone for each word, whose height comes from a hash of the text; silence for `mp3`. Bytes are made piece by piece.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeSound = ({ fields, options }: MediaCall): MadeSound => {
  const { input, response_format: format = 'mp3' } = fields
  if (typeof input !== 'string' || input === '') throw new MockRefusal(400, '`input` must be text.', 'input')
  const type = typeof format === 'string' && Object.hasOwn(TYPES, format) ? TYPES[format] : undefined
  if (type === undefined) {
    throw new MockRefusal(400, `The mock speaks ${Object.keys(TYPES).join(', ')}.`, 'response_format')
  }
  const words = options.tokens ?? countWords(input)
  const hertz = 200 + (createHash('sha256').update(input).digest()[0] ?? 0)
  function* pieces(): Generator<Uint8Array> {
    if (format === 'wav') yield wavHead(words * PIECES_A_WORD * PIECE_SAMPLES * SAMPLE_BYTES)
    for (let piece = 0; piece < words * PIECES_A_WORD; piece++) {
      yield format === 'mp3' ? Buffer.concat(Array(MP3_FRAMES_A_PIECE).fill(MP3_FRAME)) : tone(piece, hertz)
    }
  }
  return {
    type,
    pieces,
    *events() {
      for (const piece of pieces()) {
        yield JSON.stringify({ type: 'speech.audio.delta', audio: Buffer.from(piece).toString('base64') })
      }
      const input_tokens = countWords(input)
      const usage = { input_tokens, output_tokens: words, total_tokens: input_tokens + words }
      yield JSON.stringify({ type: 'speech.audio.done', usage })
    },
  }
}

const tone = (piece: number, hertz: number): Uint8Array => {
  const samples = Buffer.alloc(PIECE_SAMPLES * SAMPLE_BYTES)
  for (let index = 0; index < PIECE_SAMPLES; index++) {
    const at = (piece * PIECE_SAMPLES + index) / RATE
    samples.writeInt16LE(Math.round(Math.sin(2 * Math.PI * hertz * at) * 8000), index * SAMPLE_BYTES)
  }
  return samples
}

/** RIFF/WAVE with PCM (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"). */
const wavHead = (bytes: number): Uint8Array => {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * SAMPLE_BYTES, 28)
  head.writeUInt16LE(SAMPLE_BYTES, 32)
  head.writeUInt16LE(SAMPLE_BYTES * 8, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes, 40)
  return head
}
