import { connect, type Socket } from 'node:net'
import { KEY } from './gateway.ts'

/** What became of the calls of one client. */
export interface Tally {
  answered: number
  /** What went wrong, in words: nothing is tried twice, so each is a lost call. */
  readonly lost: string[]
}

/**
 * Calls one after the other over plain sockets, as long as it is told to go on. A client of a library would hide a connection
 * that was closed under it by asking again.
 * @param keepsConnection whether the next call goes over the same connection, until an answer says `connection: close`
 */
export const callOn = async (url: string, keepsConnection: boolean, goesOn: () => boolean): Promise<Tally> => {
  const tally: Tally = { answered: 0, lost: [] }
  let socket: Socket | undefined
  while (goesOn()) {
    try {
      socket ??= await dial(url)
      const { status, closes } = await ask(socket, keepsConnection)
      if (status === 200) tally.answered++
      else tally.lost.push(`status ${status}`)
      if (closes || !keepsConnection) {
        socket.destroy()
        socket = undefined
      }
    } catch (thrown) {
      tally.lost.push(String(thrown))
      socket?.destroy()
      socket = undefined
      await Bun.sleep(10)
    }
  }
  socket?.destroy()
  return tally
}

/** Makes a call over a new connection, and says whether the other side would close that one. */
export const callOnce = async (url: string): Promise<{ readonly status: number; readonly closes: boolean }> => {
  const socket = await dial(url)
  try {
    return await ask(socket, true)
  } finally {
    socket.destroy()
  }
}

const dial = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(Number(port), hostname)
  socket.once('connect', () => resolve(socket)).once('error', reject)
  return promise
}

const BODY = JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }] })

const ask = (
  socket: Socket,
  keepsConnection: boolean,
): Promise<{ readonly status: number; readonly closes: boolean }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; closes: boolean }>()
  let text = ''
  const onData = (bytes: Buffer): void => {
    text += bytes.toString('latin1')
    const [head = '', body] = text.split('\r\n\r\n', 2)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)
    if (body === undefined || body.length < length) return
    done(() =>
      resolve({
        status: Number(head.split(' ', 2)[1]),
        closes: /^connection: close/im.test(head) || Number.isNaN(length),
      }),
    )
  }
  const onError = (error: Error): void => done(() => reject(error))
  const onClose = (): void => done(() => reject(new Error(`closed after ${text.length} bytes of an answer`)))
  const done = (then: () => void): void => {
    socket.off('data', onData).off('error', onError).off('close', onClose)
    then()
  }
  socket.on('data', onData).on('error', onError).on('close', onClose)
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      'host: weir',
      `x-gateway-api-key: ${KEY}`,
      'x-gateway-provider: mock',
      'content-type: application/json',
      `content-length: ${BODY.length}`,
      ...(keepsConnection ? [] : ['connection: close']),
      '',
      BODY,
    ].join('\r\n'),
  )
  return promise
}
