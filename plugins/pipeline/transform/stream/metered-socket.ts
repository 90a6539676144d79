import { noteAnswer } from '#calls/answered'
import { usageOfAny } from '#calls/any-usage'
import type { SocketListener, UpstreamSocket } from '#core/ports'
import { addUsage } from '#core/usage'
import { type Call, isRecord, type Usage } from '#kit'

/**
 * Messages that end a response and say what it used: that of a realtime session, and those of responses over a WebSocket
 * (types of openai-node 7.55.0, read 2026-11-23).
 */
const ENDS: ReadonlySet<unknown> = new Set([
  'response.done',
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/** Characters of the longest message that is looked into: those with sound are longer, and no such end. */
const LONGEST = 4 * 1024 * 1024

/** A WebSocket to a provider, whose messages pass as they are: the usage of all responses that end on it is that of the call. */
export const meteredSocket = (call: Call, socket: UpstreamSocket): UpstreamSocket => {
  let used: Usage | undefined
  const look = (message: string): void => {
    if (message.length > LONGEST || !message.includes('"usage"') || !message.includes('"response.')) return
    const event = parsed(message)
    if (!isRecord(event) || !ENDS.has(event.type)) return
    const usage = usageOfAny(event)
    if (usage === undefined) return
    noteAnswer(call, event.response)
    used = addUsage(used, usage)
    if (used !== undefined) call.recordUsage(used)
  }
  return {
    protocol: socket.protocol,
    listen(listener: SocketListener) {
      socket.listen({
        message(message) {
          if (typeof message === 'string') look(message)
          listener.message(message)
        },
        drained: () => listener.drained(),
        closed: (code, reason) => listener.closed(code, reason),
      })
    },
    send: (message) => socket.send(message),
    close: (code, reason) => socket.close(code, reason),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Not ours to judge: it goes on as it came.
    return undefined
  }
}
