/** A provider in a process of its own: says the same to everybody, event by event. Prints its port. */
import { providerPieces } from './provider-pieces.ts'

const pieces = providerPieces(Number(process.argv[2] ?? 1000))

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    await request.arrayBuffer()
    const body = new ReadableStream<Uint8Array>({
      type: 'direct',
      async pull(controller) {
        for (const [index, piece] of pieces.entries()) {
          controller.write(piece)
          // As many events in a piece of the network as a fast model gives.
          if (index % 2 === 1) {
            await controller.flush()
            await new Promise((resolve) => setImmediate(resolve))
          }
        }
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
console.log(server.port)
