import { readFile, stat } from 'node:fs/promises'
import { collect } from '../core/bodies/answer.ts'
import type { Abortable } from '../core/cancellation.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { LoginAnswer, LoginRequest, Logins } from '../core/logins.ts'
import type { Deadlines, Upstream } from '../core/ports.ts'
import type { Resolver } from './resolver.ts'
import { createTrustedHosts, type TrustedHosts } from './trusted-hosts.ts'
import { createUpstream } from './upstream.ts'

/** Bytes of the longest answer or file. */
const MAX_BYTES = 1024 * 1024
/** Milliseconds. A metadata service is next door or not there at all. */
const DEADLINES: Deadlines = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 }
const MACHINE_DEADLINES: Deadlines = { ...DEADLINES, connectMs: 2_000 }

/** A login is for all calls that wait for it: none of them gives it up. */
const NEVER_ABORTED: Abortable = {
  aborted: false,
  reason: undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}

/**
 * Metadata services: AWS (IMDS; containers; EKS Pod Identity), Azure (IMDS, the same address as AWS), Google. Sources:
 * botocore 1.44.5 `utils.py` (`METADATA_BASE_URL`, `ContainerMetadataFetcher`), google-auth 2.62.2
 * `compute_engine/_metadata.py`, azure-identity 1.27.0 `_credentials/imds.py` (all from PyPI, read 2026-11-22).
 */
const METADATA_HOSTS = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'metadata.google.internal',
] as const

/** Variables that hold the address of such a service, as a URL or as a host. Same sources. */
const ADDRESS_VARIABLES = [
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  'IDENTITY_ENDPOINT',
  'MSI_ENDPOINT',
  'GCE_METADATA_HOST',
  'GCE_METADATA_IP',
] as const

/** What a plugin sees of the environment. */
const LOGIN_VARIABLE = /^(?:(?:AWS|AZURE|IDENTITY|MSI|GOOGLE|GCE|CLOUDSDK)_|HOME$)/

type Environment = Readonly<Record<string, string | undefined>>

export interface LoginsOptions {
  /** For everything but the machine's identity. */
  readonly upstream: Upstream
  readonly resolver: Resolver
  readonly trusted: TrustedHosts
  readonly now: () => number
  readonly environment: Environment
}

/** The way to services that give out tokens. The machine's own are reached over connections that no call ever gets. */
export const createLogins = ({
  upstream,
  resolver,
  trusted,
  now,
  environment,
}: LoginsOptions): Logins & { close(): void } => {
  const ofMachine = createTrustedHosts([...METADATA_HOSTS, ...namedHosts(environment)])
  const machine = createUpstream({
    resolver,
    now,
    trusted: {
      trusts: (...place) => ofMachine.trusts(...place) || trusted.trusts(...place),
      add: (hostAndPort) => ofMachine.add(hostAndPort),
    },
  })

  const send = async ({ method, url, headers = {}, body, asMachine }: LoginRequest): Promise<LoginAnswer> => {
    const fields = new HeaderList()
    for (const [name, value] of Object.entries(headers)) fields.set(name, value)
    const answer = await (asMachine === true ? machine : upstream).send({
      method,
      url,
      headers: fields,
      body,
      signal: NEVER_ABORTED,
      deadlines: asMachine === true ? MACHINE_DEADLINES : DEADLINES,
    })
    const bytes = await collect(answer.body, MAX_BYTES)
    return { status: answer.status, text: new TextDecoder().decode(bytes) }
  }

  return {
    send,
    async readFile(path) {
      const { size } = await stat(path)
      if (size > MAX_BYTES) throw new Error(`'${path}' is larger than ${MAX_BYTES} bytes`)
      return readFile(path, 'utf8')
    },
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => LOGIN_VARIABLE.test(name))),
    close: () => machine.close(),
  }
}

/** `host:port` of each service that the environment names. One that cannot be read is not reached: its login fails. */
const namedHosts = (environment: Environment): readonly string[] =>
  ADDRESS_VARIABLES.flatMap((name) => {
    const value = environment[name] ?? ''
    const url = value.includes('://') ? value : `http://${value}`
    if (value === '' || !URL.canParse(url)) return []
    const { hostname, port, protocol } = new URL(url)
    if (hostname === '') return []
    return [`${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`]
  })
