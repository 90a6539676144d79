import { type CheckPowers, defineCheck, isRecord, type PreparedCheck, t } from '#kit'
import { asError, GRACE_MS, inTime } from '../shared/in-time.ts'
import { shown } from '../shared/parameters.ts'

type Fields = Readonly<Record<string, unknown>>

/** Images of one request, at most. */
const MAX_IMAGES = 50

/** Levels of a body that are looked at: images may stand in results of tools. */
const MAX_DEPTH = 12

const TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
])

interface Image {
  readonly type: string
  readonly data: string
}

export const inlineImageUrls = defineCheck({
  id: 'default.inlineImageUrls',
  summary:
    'Puts pictures in the place of their URLs, for providers that cannot reach them. Passes, unless errors shall fail.',
  parameters: t.Object({
    providers: t.Optional(t.Array(t.String({ minLength: 1 }), { description: 'Ids of providers. Absent: all.' })),
    maxSizeBytes: t.Integer({ minimum: 1, maximum: 100 * 1024 * 1024, default: 20_971_520 }),
    timeoutMs: t.Integer({ minimum: 1, maximum: 50_000, default: 30_000 }),
    failOnError: t.Boolean({ default: false }),
  }),
  stages: ['input'],
  needs: ['fetch'],
  prepare({ providers = [], maxSizeBytes, timeoutMs, failOnError }): PreparedCheck {
    return {
      deadlineMs: timeoutMs + GRACE_MS,
      failsClosed: failOnError,
      async run({ json, provider }, powers) {
        if (providers.length > 0 && !providers.includes(provider)) return { verdict: true }
        const urls = [...urlsIn(json, new Set(), 0)]
        if (urls.length === 0) return { verdict: true }
        const taken = urls.slice(0, MAX_IMAGES)
        const images = new Map<string, Image>()
        const failures = urls.slice(MAX_IMAGES).map((url) => `${url}: one of more than ${MAX_IMAGES}`)
        await Promise.all(
          taken.map(async (url) => {
            try {
              images.set(url, await inTime(fetchImage(url, maxSizeBytes, powers), timeoutMs))
            } catch (thrown) {
              failures.push(`${url}: ${asError(thrown).message}`)
            }
          }),
        )
        const verdict = !(failOnError && failures.length > 0)
        return {
          verdict,
          json: images.size === 0 ? undefined : (inlined(json, images, 0) as Fields),
          data: {
            verdict,
            inlined: images.size,
            failed: shown(failures),
            explanation: `Of ${urls.length} pictures, ${images.size} stand in the request now.`,
          },
        }
      },
    }
  },
})

const fetchImage = async (url: string, maxBytes: number, powers: CheckPowers): Promise<Image> => {
  const { status, headers, bytes } = await powers.fetch(url, { maxBytes, headers: { accept: 'image/*' } })
  if (status !== 200) throw new Error(`its server answered ${status}`)
  const [given = ''] = (headers.get('content-type') ?? '').split(';')
  const type = given.trim().toLowerCase().replace('image/jpg', 'image/jpeg')
  if (!TYPES.has(type))
    throw new Error(`is of the type '${type.slice(0, 50)}', and not one of: ${[...TYPES].join(', ')}`)
  return { type, data: bytes.toBase64() }
}

/** The URL of a part in the form of chats, responses or messages. */
const urlOf = ({ type, image_url: image, source }: Fields): string | undefined => {
  if (type === 'image_url') return remote(isRecord(image) ? image.url : image)
  if (type === 'input_image') return remote(image)
  return type === 'image' && isRecord(source) && source.type === 'url' ? remote(source.url) : undefined
}

const remote = (url: unknown): string | undefined =>
  typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined

const urlsIn = (value: unknown, found: Set<string>, depth: number): Set<string> => {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return found
  const url = Array.isArray(value) ? undefined : urlOf(value as Fields)
  if (url !== undefined) return found.add(url)
  for (const inner of Object.values(value)) urlsIn(inner, found, depth + 1)
  return found
}

/** The same value where there is no picture in it. */
const inlined = (value: unknown, images: ReadonlyMap<string, Image>, depth: number): unknown => {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => inlined(item, images, depth + 1))
  const image = images.get(urlOf(value as Fields) ?? '')
  if (image !== undefined) return withImage(value as Fields, image)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, images, depth + 1)]))
}

const withImage = (part: Fields, { type, data }: Image): Fields => {
  if (part.type === 'image') return { ...part, source: { type: 'base64', media_type: type, data } }
  const url = `data:${type};base64,${data}`
  return { ...part, image_url: isRecord(part.image_url) ? { ...part.image_url, url } : url }
}
