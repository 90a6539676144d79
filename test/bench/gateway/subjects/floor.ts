/** The floor: what a proxy in Bun costs that does nothing but hand on. For streams it hands the body of the upstream through. */
import { FLOOR } from './floor-settings.ts'

const { port, upstream, headers } = FLOOR

Bun.serve({
  hostname: '127.0.0.1',
  port,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const body = await request.bytes()
    const answer = await fetch(upstream + pathname, { method: 'POST', headers, body })
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    })
  },
})
