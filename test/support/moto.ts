import { createServer } from 'node:net'
import { testPython } from './services.ts'

/** Services of AWS on the loopback address, by moto: real forms, with all of it in memory. No signature is checked. */
export const spawnMoto = (port: number): Bun.Subprocess =>
  Bun.spawn([testPython(), '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(address)))
    })
  })
