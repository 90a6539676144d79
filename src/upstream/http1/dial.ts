import { defined } from '../../core/defined.ts'
import { Connection, type Owner, type Peer } from './connection.ts'

/** Shared by every socket: Bun keeps the callbacks once. */
const HANDLERS: Bun.SocketHandler<Connection> = {
  // A plain view: a Buffer would be one with another `slice`. Its memory is its own, never used again by Bun (1.4.5).
  binaryType: 'uint8array',
  open: (socket) => socket.data.opened(socket),
  // With it `open` comes before the handshake, and this after it, verified or not.
  handshake: (socket, verified, problem) => socket.data.handshakeDone(verified, problem),
  data: (socket, bytes) => socket.data.received(bytes),
  drain: (socket) => socket.data.drained(),
  end: (socket) => socket.data.finished(),
  close: (socket, error) => socket.data.lost(error),
  error: (socket, error) => socket.data.lost(error),
  connectError: (socket, error) => socket.data.failedToConnect(error),
}

/** In the form of the wire: one name after its length. */
const HTTP1 = Buffer.from('\u0008http/1.1')

/** Begins a connection; `connected` of it tells how it went. */
export const dial = (peer: Peer, owner: Owner): Connection => {
  const connection = new Connection(peer, owner)
  const { address, port, secure, serverName } = peer
  Bun.connect<Connection>({
    hostname: address,
    port,
    data: connection,
    socket: HANDLERS,
    ...(secure
      ? {
          tls: defined({
            // Whatever the environment says about it.
            rejectUnauthorized: true,
            ALPNProtocols: HTTP1,
            serverName,
          }),
        }
      : {}),
  }).catch((thrown: Error) => connection.failedToConnect(thrown))
  return connection
}
