import { connect } from 'node:net'

/** A trial connection to an address; unlike one of Bun's own sockets it can be given up before it stands (Bun 1.4.5). */
export interface Knock {
  /** Resolves once the address has answered in any way, or `leave` was called. */
  readonly answered: Promise<void>
  leave(): void
}

/** Knocks at an address that has left earlier dials without an answer, so that they do not pile up. */
export const knock = (address: string, port: number): Knock => {
  const socket = connect({ host: address, port })
  const answered = new Promise<void>((resolve) => {
    socket.once('connect', () => socket.destroy())
    // A refusal is an answer: the dial that follows tells its reason.
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
  })
  return { answered, leave: () => void socket.destroy() }
}
