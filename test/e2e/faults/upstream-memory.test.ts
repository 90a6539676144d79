import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

const STREAMS = 1_000
const MAX_OPEN_KIB = 60
const MAX_STALLED_KIB = 150
const CHUNK = Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`)

let server: Server
let port: number
const silent = new Set<Socket>()
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('close', () => silent.delete(socket))
    socket.on('data', (request: Buffer) => {
      if (request.toString('latin1').startsWith('GET /go')) {
        socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
        for (const each of silent) flood(each)
        return
      }
      silent.add(socket)
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nbegun\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => {
  for (const socket of silent) socket.destroy()
  server.close()
})

/** As much as the other side takes. */
const flood = (socket: Socket): void => {
  if (socket.destroyed) return
  while (socket.write(CHUNK));
  socket.once('drain', () => flood(socket))
}

test('an open stream is cheap, and so is one that its reader has left alone', async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support/hold-upstream.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      STREAMS: String(STREAMS),
      UPSTREAM: `http://127.0.0.1:${port}/stream`,
      GO: `http://127.0.0.1:${port}/go`,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const held = JSON.parse(await new Response(child.stdout).text())
  console.log(
    `${STREAMS} streams: ${held.silentKib.toFixed(1)} KiB each while silent, ${held.stalledKib.toFixed(1)} KiB each while nobody reads what comes`,
  )
  expect(held.silentKib).toBeLessThan(MAX_OPEN_KIB)
  expect(held.stalledKib).toBeLessThan(MAX_STALLED_KIB)
  expect(held.resumed).toBe(STREAMS)
}, 60_000)
