import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from '../../../support/command.ts'
import { ADMIN_KEY, API_KEY, startTestGateway, type TestGatewayOptions } from '../../../support/gateway.ts'

/** A running gateway as a client sees it, in whatever way it runs. */
export interface Door {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  /** Key of a workspace, good for calls. */
  readonly apiKey: string
  /** Key of the organisation, not good for calls. */
  readonly adminKey: string
  /** Over the socket, or straight into the application. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  close(): Promise<void>
}

/** The gateway in this process, behind a socket. */
export const openSocketDoor = async (options?: TestGatewayOptions): Promise<Door> => {
  const { url, close } = await startTestGateway(options)
  return { url, apiKey: API_KEY, adminKey: ADMIN_KEY, fetch: (input, init) => fetch(input, init), close }
}

/** The application without a socket: `gateway.handle`. */
export const openHandleDoor = async (): Promise<Door> => {
  const { gateway, close, url } = await startTestGateway()
  const handle: Door['fetch'] = (input, init) => {
    const request = input instanceof Request ? new Request(input, init) : new Request(String(input), init)
    // As `fetch` does it: whoever aborts gets that as the error, and the answer goes to nobody.
    const left = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true })
    })
    return Promise.race([gateway.handle(request), left])
  }
  return { url, apiKey: API_KEY, adminKey: ADMIN_KEY, fetch: handle, close }
}

/** A compiled gateway as a process of its own, with an empty folder, preset keys and an embedded database. */
export const openExecutableDoor = async (
  executable: string,
  env: Readonly<Record<string, string>> = {},
  configFile?: object,
): Promise<Door> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-clients-'))
  if (configFile !== undefined) await Bun.write(join(folder, 'weir.config.json'), JSON.stringify(configFile))
  const command = await startCommand({
    executable,
    folder,
    env: {
      PORT: '0',
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_ADMIN_KEY: ADMIN_KEY,
      WEIR_API_KEY: API_KEY,
      WEIR_TRUSTED_HOSTS: '127.0.0.1',
      ...env,
    },
  })
  return {
    url: command.url,
    apiKey: API_KEY,
    adminKey: ADMIN_KEY,
    fetch: (input, init) => fetch(input, init),
    async close() {
      await command.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
