import { connect, type Socket } from 'node:net'

export interface BlackHole {
  readonly port: number
  close(): Promise<void>
}

/** A port whose queue of connections is full: a further one is never answered. */
export const startBlackHole = async (): Promise<BlackHole> => {
  const child = Bun.spawn([process.execPath, '-e', HOLE], { stdout: 'pipe', stderr: 'inherit', stdin: 'ignore' })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const port = Number(new TextDecoder().decode(value))
  child.kill('SIGSTOP')
  const fillers: Socket[] = []
  // Nobody accepts any more; the queue is full once a connection has stood open for a while without success.
  for (let full = false; !full && fillers.length < MAX_QUEUE; ) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    fillers.push(socket)
    full = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('connect', () => resolve(false))),
      Bun.sleep(300).then(() => true),
    ])
  }
  return {
    port,
    async close() {
      for (const socket of fillers) socket.destroy()
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** More than any system lets wait. */
const MAX_QUEUE = 5_000

/** Accepts nothing once it is stopped; how many may wait is up to the runtime. */
const HOLE = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1' }, function () { process.stdout.write(String(this.address().port)) })`
