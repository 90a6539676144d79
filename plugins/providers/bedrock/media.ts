import { isRecord } from '#kit'
import { type Fields, recordAt, refuse, stringAt } from '../anthropic/values.ts'

/**
 * Pictures, documents, sounds and films as Converse takes them: bytes in base64, or a place in S3. Formats as in the API
 * reference (`ImageFormat`, `DocumentFormat`, `AudioFormat`, `VideoFormat`; botocore 1.44.5, read 2026-11-22).
 */
const IMAGES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const DOCUMENTS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
}
const VIDEOS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
}
const AUDIOS: ReadonlySet<string> = new Set(
  'mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm'.split(' '),
)

const formatOf = (formats: Readonly<Record<string, string>>, type: string): string | undefined =>
  Object.hasOwn(formats, type) ? formats[type] : undefined

/** `image_url` of a part. @throws InvalidRequest naming it: Bedrock fetches nothing from the web */
export const imageBlock = (image: unknown, path: string): Fields => {
  const param = `${path}.image_url`
  const url = isRecord(image) ? image.url : image
  if (typeof url !== 'string') return refuse(param, 'must be a URL or an object with a `url`.')
  return { image: mediaOf(url, IMAGES, param, 'a PNG, JPEG, GIF or WebP image') }
}

/** `video_url` of a part. @throws InvalidRequest naming it */
export const videoBlock = (video: unknown, path: string): Fields => {
  const param = `${path}.video_url`
  const url = isRecord(video) ? video.url : video
  if (typeof url !== 'string') return refuse(param, 'must be a URL or an object with a `url`.')
  return { video: mediaOf(url, VIDEOS, param, 'a video') }
}

/** `input_audio` of a part. @throws InvalidRequest naming it */
export const audioBlock = (audio: unknown, path: string): Fields => {
  const param = `${path}.input_audio`
  const { data, format } = recordAt(audio, param)
  if (typeof format !== 'string' || !AUDIOS.has(format))
    return refuse(`${param}.format`, 'is no format that Bedrock takes.')
  return { audio: { format, source: { bytes: stringAt(data, `${param}.data`) } } }
}

/** `file` of a part. @throws InvalidRequest naming it */
export const documentBlock = (file: unknown, path: string): Fields => {
  const param = `${path}.file`
  const { file_data: data, filename } = recordAt(file, param)
  const document = mediaOf(stringAt(data, `${param}.file_data`), DOCUMENTS, `${param}.file_data`, 'a document')
  return { document: { ...document, name: documentName(filename) } }
}

/** Only letters, digits, single blanks, hyphens and brackets may stand in the name of a document ("DocumentBlock", read 2026-11-22). */
export const documentName = (filename: unknown): string => {
  const text = typeof filename === 'string' ? filename.replace(/\.[A-Za-z0-9]{1,8}$/, '') : ''
  const name = text
    .replace(/[^A-Za-z0-9\-()[\]]+/g, ' ')
    .trim()
    .slice(0, 200)
  return name === '' ? 'document' : name
}

const mediaOf = (url: string, formats: Readonly<Record<string, string>>, param: string, what: string): Fields => {
  if (url.startsWith('s3://')) {
    const ending = url.slice(url.lastIndexOf('.') + 1).toLowerCase()
    const named = ending === 'jpg' ? 'jpeg' : ending
    const format = Object.values(formats).includes(named) ? named : undefined
    if (format === undefined) return refuse(param, `must end as ${what} does: its format is told by its name.`)
    return { format, source: { s3Location: { uri: url } } }
  }
  // By position: it may be tens of megabytes long.
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  const [type = '', ...attributes] = url.slice('data:'.length, Math.max(comma, 'data:'.length)).split(';')
  if (comma === -1 || !attributes.includes('base64')) {
    return refuse(param, 'must be a base64 `data:` URL or one of S3: Bedrock fetches nothing from the web.')
  }
  const format = formatOf(formats, type.toLowerCase())
  return format === undefined ? refuse(param, `must be ${what}.`) : { format, source: { bytes: url.slice(comma + 1) } }
}
