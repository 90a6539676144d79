import { API_KEY, type TestGateway } from '../../../support/gateway.ts'

export interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

export interface SessionOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
}

/** A session of a client, over Bun's own WebSocket. */
export class Session {
  readonly socket: WebSocket
  /** What came, in order. */
  readonly events: Event[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  #waiting: (() => void)[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.addEventListener('message', ({ data }) => {
      this.events.push(JSON.parse(String(data)))
      this.#tell()
    })
    this.closed = new Promise((resolve) =>
      socket.addEventListener('close', ({ code, reason }) => {
        resolve({ code, reason })
        this.#tell()
      }),
    )
  }

  send(event: Event): void {
    this.socket.send(JSON.stringify(event))
  }

  /** Says a text and asks for a response. */
  say(text: string): void {
    this.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
    this.send({ type: 'response.create' })
  }

  /** The first event of a type that comes from now on. */
  async next(type: string): Promise<Event> {
    for (let place = this.events.length; ; ) {
      for (; place < this.events.length; place++) {
        const event = this.events[place]
        if (event?.type === type) return event
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${type}`)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

const opened: Session[] = []

export const openSession = async (
  { url }: Pick<TestGateway, 'url'>,
  { path = '/v1/realtime?model=mock-realtime', headers, protocols }: SessionOptions = {},
): Promise<Session> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: headers ?? { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
    ...(protocols === undefined ? {} : { protocols: [...protocols] }),
  })
  const session = new Session(socket)
  opened.push(session)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('it was not opened')))
  })
  return session
}

export const closeSessions = (): void => {
  for (const { socket } of opened.splice(0)) socket.terminate()
}
