/** A provider in a process of its own: answers each message with a piece of sound, like one that speaks while it listens. */
const SOUND = 'A'.repeat(1_280)
const ANSWER = `{"type":"response.output_audio.delta","event_id":"event_0123456789012345678901","response_id":"resp_0123456789012345678901","item_id":"item_0123456789012345678901","output_index":0,"content_index":0,"delta":"${SOUND}"}`

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('no upgrade', { status: 426 })),
  websocket: {
    idleTimeout: 0,
    message: (socket) => {
      socket.sendText(ANSWER)
    },
  },
})
process.stdout.write(`${server.port}\n`)

export {}
