/**
 * Sessions in a process of their own: `clients.ts URL KEY SESSIONS RATE SECONDS`. Opens all of them, says `open`, waits for a line,
 * then each says RATE messages a second, and gets as many back. Prints what came as JSON.
 */
const [url = '', key = '', sessions = '1', rate = '1', seconds = '1'] = process.argv.slice(2)
const SOUND = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1_280) })
const TICK_MS = 20

const open = (): Promise<WebSocket> => {
  const socket = new WebSocket(url, { headers: { 'x-gateway-api-key': key, 'x-gateway-provider': 'openai' } })
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket)
    socket.onerror = () => reject(new Error('it was not opened'))
  })
}

const sockets: WebSocket[] = []
while (sockets.length < Number(sessions)) {
  const missing = Math.min(50, Number(sessions) - sockets.length)
  sockets.push(...(await Promise.all(Array.from({ length: missing }, open))))
}
let sent = 0
let came = 0
const sentAt = new Map<WebSocket, number[]>(sockets.map((socket) => [socket, []]))
const waits: number[] = []
for (const socket of sockets) {
  socket.onmessage = () => {
    came++
    const at = sentAt.get(socket)?.shift()
    if (at !== undefined && came % 7 === 0) waits.push(performance.now() - at)
  }
}
process.stdout.write('open\n')
for await (const _ of console) break

const startedMs = performance.now()
const endsMs = startedMs + Number(seconds) * 1_000
for (let now = startedMs; now < endsMs; now = performance.now()) {
  const due = Math.floor(((now - startedMs) / 1_000) * Number(rate) * sockets.length)
  for (; sent < due; sent++) {
    const socket = sockets[sent % sockets.length]
    if (socket === undefined) break
    sentAt.get(socket)?.push(performance.now())
    socket.send(SOUND)
  }
  await Bun.sleep(TICK_MS)
}
for (let left = 100; came < sent && left > 0; left--) await Bun.sleep(20)
waits.sort((one, other) => one - other)
const at = (share: number): number => waits[Math.floor(waits.length * share)] ?? 0
process.stdout.write(`${JSON.stringify({ sent, came, p50Ms: at(0.5), p99Ms: at(0.99) })}\n`)
for await (const _ of console) break
process.exit()

export {}
