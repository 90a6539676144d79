import { chatForm } from './providers/chat.ts'
import { converseForm } from './providers/converse.ts'
import { geminiForm } from './providers/gemini.ts'
import { messagesForm } from './providers/messages.ts'
import type { Fields, ProviderForm } from './providers/provider-form.ts'
import { responsesForm } from './providers/responses.ts'
import { type Asked, sceneOf } from './scenes.ts'

const FORMS: readonly ProviderForm[] = [
  chatForm('openai', false),
  responsesForm('openai'),
  chatForm('deepseek', true),
  messagesForm('anthropic'),
  geminiForm('google'),
  converseForm('bedrock'),
  geminiForm('vertex-ai/v1beta1/projects/project-1/locations/us-central1/publishers/google'),
  {
    ...messagesForm(''),
    path: /^\/vertex-ai\/v1\/projects\/project-1\/locations\/us-central1\/publishers\/anthropic\/models\/[^/]+:(raw|streamRaw)Predict$/,
    asksForStream: (path) => path.endsWith(':streamRawPredict'),
  },
  // Below the resource, whatever path the rest has.
  messagesForm('anthropic/v1'),
]

/** Providers of every form on a loopback socket, which say what the scene of a request says. */
export interface DialectUpstream {
  readonly url: string
  /** What the newest call asked for. */
  last(): Asked
  /** The newest call, as it came. */
  lastBody(): Fields
  close(): Promise<void>
}

export const startDialectUpstream = (): DialectUpstream => {
  let newest: { readonly asked: Asked; readonly body: Fields } | undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    error: (thrown) => Response.json({ error: { message: `the upstream failed: ${thrown.stack}` } }, { status: 500 }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const path = pathname + search
      const form = FORMS.find(({ path: known }) => known.test(path))
      if (form === undefined) return Response.json({ error: { message: `no ${path} here` } }, { status: 404 })
      const text = await request.text()
      const body: Fields = JSON.parse(text)
      newest = { asked: form.read(body), body }
      const scene = sceneOf(text)
      if ('refuses' in scene) {
        const headers = { 'retry-after': '7' }
        return Response.json(form.error(scene.refuses), {
          status: scene.refuses,
          headers: scene.refuses === 429 ? headers : {},
        })
      }
      if (!form.asksForStream(path, body)) return Response.json(form.whole(scene))
      return new Response(streamOf(form.pieces(scene)), {
        headers: { 'content-type': form.streamType ?? 'text/event-stream' },
      })
    },
  })
  const found = () => {
    if (newest === undefined) throw new Error('no provider was asked')
    return newest
  }
  return {
    url: `http://127.0.0.1:${server.port}`,
    last: () => found().asked,
    lastBody: () => found().body,
    close: () => server.stop(true),
  }
}

/** Each piece in a turn of its own, so that they arrive one by one. */
const streamOf = (pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> => {
  const left = [...pieces]
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve))
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
    },
  })
}
