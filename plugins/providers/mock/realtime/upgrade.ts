import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isFaultOfSessions } from '../faults.ts'
import { readOptions } from '../options.ts'
import { errorBody } from '../plan.ts'
import { MockRefusal } from '../refusal.ts'
import { MockSession } from './session.ts'
import { agreement } from './socket.ts'

export const REALTIME_MODEL = 'mock-realtime'
export const REALTIME_PATH = '/v1/realtime'

const UPGRADE_REQUIRED = 426
const PROTOCOL = 'realtime'

/** Answers a request for a WebSocket: with a session, or with an error of HTTP. */
export const upgrade = (request: IncomingMessage, stream: Duplex, first: Buffer): void => {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://mock')
    if (pathname !== REALTIME_PATH) throw new MockRefusal(404, `The mock has no WebSocket at ${pathname}.`)
    const { model, options } = readOptions(searchParams.get('model') ?? '', undefined)
    if (model !== REALTIME_MODEL) {
      throw new MockRefusal(404, `The mock has sessions with \`${REALTIME_MODEL}\` only.`, 'model', 'model_not_found')
    }
    const { fault, status = 500 } = options
    if (fault === 'status') throw new MockRefusal(status, `The mock was asked for status ${status}.`)
    if (fault === 'never-answer') return
    if (fault !== undefined && !isFaultOfSessions(fault)) {
      throw new MockRefusal(400, `The mock fault \`${fault}\` is none of sessions.`, 'model')
    }
    const key = request.headers['sec-websocket-key']
    if (key === undefined) throw new MockRefusal(UPGRADE_REQUIRED, 'The request is no handshake of a WebSocket.')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    stream.write(agreement(key, offered.includes(PROTOCOL) ? PROTOCOL : undefined))
    new MockSession(stream, first, model, options)
  } catch (error) {
    if (!(error instanceof MockRefusal)) throw error
    const { status, message, code, param } = error
    const body = JSON.stringify(errorBody(message, 'invalid_request_error', code, param))
    const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n`
    stream.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}
