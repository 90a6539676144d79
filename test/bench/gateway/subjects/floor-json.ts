/** The second floor: the same, and both bodies are read as JSON and written anew, as whoever looks into them must. */
import { FLOOR } from './floor-settings.ts'

const { port, upstream, headers } = FLOOR

Bun.serve({
  hostname: '127.0.0.1',
  port,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const body = JSON.stringify(await request.json())
    const answer = await fetch(upstream + pathname, { method: 'POST', headers, body })
    return Response.json(await answer.json(), { status: answer.status })
  },
})
