import { splitModel } from '#calls/config/model-name'
import type { SocketListener, UpstreamSocket } from '#core/ports'
import type { SessionForm, SessionReader, SessionTimes, SocketMessage } from '#core/session'
import { type Call, type GatewayError, IdleTimeout, ModelNotAllowed, StreamTruncated, TotalTimeout } from '#kit'
import type { Target } from '#kit/slots'
import { GOING_AWAY, goodbyeOf, LOST, NORMAL } from './goodbye.ts'
import { Responses } from './responses.ts'

export interface SessionOptions {
  readonly form: SessionForm
  /** Absent: only the connections themselves have limits. */
  readonly times: SessionTimes | undefined
  /** Id for a response. */
  readonly randomId: () => string
}

/**
 * The WebSocket of a session. Its messages pass as they are; what they say of responses is counted, charged and recorded, and the
 * names of models lose the provider in front of them. It is closed with a word of ours when limits are used up, when it takes too
 * long, and when the gateway stops.
 */
export class SessionSocket implements UpstreamSocket, SocketListener {
  readonly #call: Call
  readonly #to: Target
  readonly #socket: UpstreamSocket
  readonly #form: SessionForm
  readonly #reader: SessionReader
  readonly #times: SessionTimes | undefined
  readonly #responses: Responses
  #listener: SocketListener | undefined
  #idle: ReturnType<typeof setInterval> | undefined
  #total: ReturnType<typeof setTimeout> | undefined
  /** Looks since somebody said something. */
  #quietLooks = 0
  #isRetiring = false
  #isOver = false

  constructor(call: Call, to: Target, socket: UpstreamSocket, { form, times, randomId }: SessionOptions) {
    this.#call = call
    this.#to = to
    this.#socket = socket
    this.#form = form
    this.#reader = form.open()
    this.#times = times
    this.#responses = new Responses(call, to, {
      randomId,
      refuse: (error) => this.#refuse(error),
    })
  }

  get protocol(): string | undefined {
    return this.#socket.protocol
  }

  // What the client's side does.

  listen(listener: SocketListener): void {
    this.#listener = listener
    this.#call.cancellation.addEventListener('abort', this.#giveUp)
    if (this.#times !== undefined) {
      const { idleMs, totalMs } = this.#times
      this.#idle = setInterval(this.#lookForLife, Math.max(1, idleMs / 2)).unref()
      this.#total = setTimeout(this.#tooLong, totalMs).unref()
    }
    this.#socket.listen(this)
  }

  send(message: SocketMessage): boolean {
    if (this.#isOver) return true
    this.#quietLooks = 0
    const models = this.#reader.models(message)
    if (models === undefined) {
      this.#responses.heard(this.#reader.inputTokens(message))
      return this.#socket.send(message)
    }
    let isOther = false
    for (const { name, replace } of models.names) {
      const split = splitModel(name)
      const isOurs = split?.provider === this.#to.provider.id || split?.provider === this.#to.storedProvider
      const bare = split !== undefined && isOurs ? split.model : name
      if (this.#to.allows?.(bare) === false) {
        this.#refuse(
          new ModelNotAllowed(`The stored provider '@${this.#to.storedProvider}' does not allow the model '${bare}'.`, {
            param: 'model',
          }),
        )
        return true
      }
      if (bare === name) continue
      replace(bare)
      isOther = true
    }
    return this.#socket.send(isOther ? JSON.stringify(models.event) : message)
  }

  close(code?: number, reason?: string): void {
    this.#end('client_closed')
    this.#socket.close(code, reason)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  retire(): void {
    this.#isRetiring = true
    this.#leaveWhenIdle()
  }

  // What the provider's side tells.

  message(message: SocketMessage): void {
    if (this.#isOver) return
    this.#quietLooks = 0
    const note = this.#reader.note(message)
    // It is counted before the client has it: whoever leaves then has had it.
    if (note !== undefined) this.#responses.take(note, message)
    if (this.#isOver) return
    this.#listener?.message(message)
    if (note?.ends === undefined) return
    this.#responses.check()
    this.#leaveWhenIdle()
  }

  drained(): void {
    this.#listener?.drained()
  }

  closed(code: number, reason: string): void {
    if (this.#isOver) return
    this.#end('truncated')
    if (code === LOST) this.#tell(new StreamTruncated(`${this.#to.provider.id}: ${reason}`))
    this.#listener?.closed(code, reason)
  }

  /** Between two responses, once the gateway stops. */
  #leaveWhenIdle(): void {
    if (!this.#isRetiring || this.#isOver || this.#responses.areUnderWay) return
    this.#end('truncated')
    this.#socket.close(GOING_AWAY, 'The gateway is stopping.')
    this.#listener?.closed(GOING_AWAY, 'shutting_down: open another session.')
  }

  /** Says why, in an event where the form has one for it and in the goodbye. */
  #refuse(error: GatewayError): void {
    if (this.#isOver) return
    this.#end('truncated')
    this.#tell(error)
    const { code, reason } = goodbyeOf(error)
    this.#socket.close(NORMAL)
    this.#listener?.closed(code, reason, error)
  }

  #tell(error: GatewayError): void {
    const event = this.#form.error?.(error, this.#call.id)
    if (event !== undefined) this.#listener?.message(event)
  }

  readonly #lookForLife = (): void => {
    this.#quietLooks++
    const idleMs = this.#times?.idleMs
    if (this.#quietLooks > 2) this.#refuse(new IdleTimeout(`Nobody has said anything for ${idleMs} ms.`))
  }

  readonly #tooLong = (): void => {
    this.#refuse(new TotalTimeout(`The session has lasted for ${this.#times?.totalMs} ms, which is the longest.`))
  }

  /** The call is given up; both sides are told by others. */
  readonly #giveUp = (): void => this.#end('truncated')

  #end(outcome: 'client_closed' | 'truncated'): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#idle)
    clearTimeout(this.#total)
    this.#call.cancellation.removeEventListener('abort', this.#giveUp)
    this.#responses.leave(outcome)
  }
}
