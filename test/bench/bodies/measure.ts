import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from '../../support/command.ts'
import { ADMIN_KEY, API_KEY } from '../../support/gateway.ts'
import { type Provider, startProvider } from './provider.ts'

/** What passed through, and what the gateway held meanwhile. */
export interface Passed {
  readonly bytes: number
  readonly seconds: number
  /** Resident megabytes of its process before, and at most while the body passed. */
  readonly idleMb: number
  readonly peakMb: number
}

export interface World {
  readonly provider: Provider
  pass(way: Way, bytes: number): Promise<Passed>
  /** Reads the beginning of a download, leaves it alone, and tells how much the provider could send meanwhile. */
  stalledDownload(bytes: number, forMs: number): Promise<number>
  close(): Promise<void>
}

/** Ways of the routes of sound, which read what passes: forms with the model before and behind the file, and speech. */
export const SOUND_WAYS = ['transcription', 'transcription, model last', 'speech'] as const
export const WAYS = ['upload', 'upload in chunks', 'form', 'kept upload', 'download'] as const
/** To Weir's own store and back: what is read was uploaded before. */
export const FILE_WAYS = ['own file', 'own file, read'] as const
export type Way = (typeof WAYS)[number] | (typeof SOUND_WAYS)[number] | (typeof FILE_WAYS)[number]

const PIECE = Buffer.alloc(64 * 1024, 'x')
const FORM_MODEL = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n'
const FORM_FILE =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n'
const FORM_HEAD = FORM_MODEL + FORM_FILE
const OWN_FORM_HEAD = `--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n${FORM_FILE}`
const FORM_END = '\r\n--b--\r\n'
const FORM_END_WITH_MODEL = `\r\n${FORM_MODEL}--b--\r\n`

/** Sampled besides the mark that the kernel keeps, which cannot be reset everywhere. */
const SAMPLE_MS = 20

const statusOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Weir as an operator starts it, embedded database and all, between a provider and clients that hold nothing. */
export const startWorld = async (): Promise<World> => {
  const provider = await startProvider()
  const folder = await mkdtemp(join(tmpdir(), 'weir-bodies-'))
  const openai = { baseURL: `http://127.0.0.1:${provider.port}/v1` }
  const config = { egress: { trustedHosts: ['127.0.0.1'] }, plugins: ['defaults', { openai }] }
  await Bun.write(join(folder, 'weir.config.json'), JSON.stringify(config))
  const child = await startCommand({ folder, env: { PORT: '0', WEIR_API_KEY: API_KEY, WEIR_ADMIN_KEY: ADMIN_KEY } })
  const port = Number(new URL(child.url).port)

  /** Request for the file that was uploaded last. */
  let ownFile = ''

  const watched = async (bytes: number, work: () => Promise<void>): Promise<Passed> => {
    const idleMb = statusOf(child.pid, 'VmRSS')
    let sampledMb = idleMb
    // Resets the mark (proc(5), clear_refs).
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
    const sampler = setInterval(() => {
      sampledMb = Math.max(sampledMb, statusOf(child.pid, 'VmRSS'))
    }, SAMPLE_MS)
    const startedMs = performance.now()
    await work().finally(() => clearInterval(sampler))
    const seconds = (performance.now() - startedMs) / 1000
    return { bytes, seconds, idleMb, peakMb: Math.max(sampledMb, statusOf(child.pid, 'VmHWM')) }
  }

  return {
    provider,
    pass: (way, bytes) =>
      watched(bytes, async () => {
        if (way === 'own file, read') await download(port, ownFile, bytes)
        else if (way === 'download' || way === 'speech') await download(port, requestOf(way, bytes), bytes)
        else {
          const answer = await upload(port, way, bytes)
          const [id] = /file-weir-[0-9a-f]{32}/.exec(answer) ?? []
          if (id !== undefined) ownFile = requestHead('GET', `/v1/files/${id}/content`, OWN)
        }
      }),
    async stalledDownload(bytes, forMs) {
      const socket = connect(port, '127.0.0.1')
      socket.write(requestHead('GET', `/v1/bytes/${bytes}`, {}))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      await Bun.sleep(forMs)
      socket.destroy()
      return provider.given
    },
    async close() {
      await child.stop()
      await provider.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Names no provider. */
const OWN = { 'x-gateway-provider': '', authorization: '' }

const requestHead = (method: string, path: string, more: Readonly<Record<string, string>>): string => {
  const headers = {
    host: 'weir',
    'x-gateway-api-key': API_KEY,
    'x-gateway-provider': 'openai',
    authorization: 'Bearer x',
    ...more,
  }
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** @returns what was answered */
const upload = (
  port: number,
  way: Exclude<Way, 'download' | 'speech' | 'own file, read'>,
  bytes: number,
): Promise<string> => {
  const isTranscription = way === 'transcription' || way === 'transcription, model last'
  const isOwn = way === 'own file'
  const isForm = way === 'form' || isTranscription || isOwn
  const formHead = isOwn ? OWN_FORM_HEAD : way === 'transcription, model last' ? FORM_FILE : FORM_HEAD
  const formEnd = way === 'transcription, model last' ? FORM_END_WITH_MODEL : FORM_END
  const isChunked = way === 'upload in chunks'
  const length = bytes + (isForm ? formHead.length + formEnd.length : 0)
  const head = requestHead('POST', isOwn ? '/v1/files' : isTranscription ? '/v1/audio/transcriptions' : '/v1/uploads', {
    ...(isOwn ? OWN : {}),
    'content-type': isForm ? 'multipart/form-data; boundary=b' : 'application/octet-stream',
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
    ...(way === 'kept upload'
      ? { 'x-gateway-config': '{"provider":"openai","retry":{"attempts":1,"on_status_codes":[503]}}' }
      : {}),
  })
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    let received = ''
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      if (!received.includes('\r\n\r\n') || !/\}(?:\r\n0\r\n\r\n)?$/.test(received)) return
      socket.destroy()
      if (received.startsWith('HTTP/1.1 200 ')) resolve(received)
      else reject(new Error(received))
    })
    socket.on('close', () => reject(new Error(`The upload broke off: ${received}`)))
    let sent = 0
    socket.write(isForm ? head + formHead : head)
    const send = (): void => {
      while (sent < bytes) {
        const piece = PIECE.subarray(0, bytes - sent)
        sent += piece.length
        if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
        const isTaken = socket.write(piece)
        if (isChunked) socket.write('\r\n')
        if (!isTaken) {
          socket.once('drain', send)
          return
        }
      }
      socket.write(isForm ? formEnd : isChunked ? '0\r\n\r\n' : '')
    }
    send()
  })
}

const requestOf = (way: 'download' | 'speech', bytes: number): string =>
  way === 'speech' ? speechRequest(bytes) : requestHead('GET', `/v1/bytes/${bytes}`, {})

const download = async (port: number, request: string, bytes: number): Promise<void> => {
  let received = 0
  let end = ''
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The download broke off after ${received} bytes.`)))
    socket.on('data', (piece: Buffer) => {
      received += piece.length
      end = (end + piece.subarray(-8).toString('latin1')).slice(-8)
      if (!end.endsWith('\r\n0\r\n\r\n')) return
      socket.destroy()
      resolve()
    })
    socket.write(request)
  })
  if (received < bytes) throw new Error(`${received} bytes of ${bytes} came`)
}

/** Speech whose text says how many bytes of sound the provider gives. */
const speechRequest = (bytes: number): string => {
  const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input: `bytes ${bytes}` })
  const more = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return requestHead('POST', '/v1/audio/speech', more) + body
}
