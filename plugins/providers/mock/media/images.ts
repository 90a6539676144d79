import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { MOCK_CREATED } from '../answer.ts'
import { MockRefusal } from '../refusal.ts'
import { countWords } from '../text.ts'
import type { MediaCall } from './index.ts'

const PIXELS = 8
const MAX_IMAGES = 10
const MAX_PARTIALS = 3
/** What the mock says that an image costs. */
const TOKENS_PER_IMAGE = 16

/** One image answer, whole or as the data of events. */
export interface MadeImages {
  readonly reply: () => object
  readonly events: () => Iterable<string>
}

/**
 * Small pictures whose colour comes from a hash of the request.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeImages = ({ fields, files, path }: MediaCall): MadeImages => {
  const sources = files.get('image') ?? []
  const isMade = path.endsWith('/generations')
  if (!isMade && sources.length === 0) throw new MockRefusal(400, '`image` must be a file.', 'image')
  const { prompt } = fields
  if (!path.endsWith('/variations') && (typeof prompt !== 'string' || prompt === '')) {
    throw new MockRefusal(400, '`prompt` must be text.', 'prompt')
  }
  const count = wholeNumber(fields.n ?? 1, 1, MAX_IMAGES, 'n')
  const partials = wholeNumber(fields.partial_images ?? 0, 0, MAX_PARTIALS, 'partial_images')
  const seed = createHash('sha256').update(String(prompt ?? ''))
  for (const { bytes } of sources) seed.update(bytes)
  const colours = seed.digest()
  const picture = (index: number, part: number): string =>
    png([colours[index] ?? 0, colours[index + 1] ?? 0, part * 60]).toString('base64')
  const inUrl = fields.response_format === 'url'
  const words = typeof prompt === 'string' ? countWords(prompt) : 0
  const usage = {
    input_tokens: words + sources.length * TOKENS_PER_IMAGE,
    input_tokens_details: { text_tokens: words, image_tokens: sources.length * TOKENS_PER_IMAGE },
    output_tokens: count * TOKENS_PER_IMAGE,
    total_tokens: words + (sources.length + count) * TOKENS_PER_IMAGE,
  }
  const settings = { background: 'opaque', output_format: 'png', quality: 'low', size: `${PIXELS}x${PIXELS}` }
  const kind = isMade ? 'image_generation' : 'image_edit'
  return {
    reply: () => ({
      created: MOCK_CREATED,
      data: Array.from({ length: count }, (_, index) =>
        inUrl ? { url: `data:image/png;base64,${picture(index, 0)}` } : { b64_json: picture(index, 0) },
      ),
      ...settings,
      usage,
    }),
    *events() {
      const common = { created_at: MOCK_CREATED, ...settings }
      for (let part = 0; part < partials; part++) {
        const partial = { type: `${kind}.partial_image`, b64_json: picture(0, part + 1), partial_image_index: part }
        yield JSON.stringify({ ...partial, ...common })
      }
      for (let index = 0; index < count; index++) {
        const own = index === count - 1 ? { usage } : {}
        yield JSON.stringify({ type: `${kind}.completed`, b64_json: picture(index, 0), ...common, ...own })
      }
    },
  }
}

const wholeNumber = (value: unknown, min: number, max: number, param: string): number => {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  throw new MockRefusal(400, `\`${param}\` must be a whole number from ${min} to ${max}.`, param)
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A square of one colour. PNG, third edition (W3C, 2025), sections 5 and 11. */
const png = (colour: readonly [red: number, green: number, blue: number]): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(PIXELS, 0)
  head.writeUInt32BE(PIXELS, 4)
  // Eight bits for each of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8)
  const row = [0, ...Array.from({ length: PIXELS }, () => colour).flat()]
  const rows = Buffer.from(Array.from({ length: PIXELS }, () => row).flat())
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
