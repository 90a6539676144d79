import { existsSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessGroup } from './start-process.ts'

/** Debian's packages that hold the servers the tests need. */
export type ServicePackage = 'redis-server' | 'postgresql'

/** Debian's packages that a test run may install. */
export type TestPackage = ServicePackage | 'python3-venv' | 'chromium'

/** Full paths of the programs found; a missing one is absent. */
export interface Binaries {
  readonly redisServer?: string
  readonly initdb?: string
  readonly postgres?: string
}

/** Where to look, so that a test can point elsewhere. */
export interface Places {
  /** Colon-separated folders, as in `PATH`. */
  readonly path: string
  /** Folder that holds one folder per Postgres major version: Debian keeps the servers off `PATH`. */
  readonly postgresRoot: string
}

export interface Machine {
  readonly isRoot: boolean
  readonly hasApt: boolean
}

export type InstallPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'install'; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: 'refuse'; readonly message: string }

const APT = '/usr/bin/apt-get'
const POLICY_FILE = '/usr/sbin/policy-rc.d'
const INSTALL_DEADLINE_MS = 600_000

export function usualPlaces(): Places {
  return { path: `${process.env.PATH ?? ''}:/usr/local/bin:/usr/bin`, postgresRoot: '/usr/lib/postgresql' }
}

export function thisMachine(): Machine {
  return { isRoot: process.getuid?.() === 0, hasApt: existsSync(APT) }
}

/** Looks on the path, then for Postgres in Debian's folders, newest major version first. */
export function findBinaries({ path, postgresRoot }: Places): Binaries {
  const redisServer = Bun.which('redis-server', { PATH: path })
  const versions = existsSync(postgresRoot) ? readdirSync(postgresRoot) : []
  const folders = versions
    .sort((left, right) => Number(right) - Number(left))
    .map((one) => join(postgresRoot, one, 'bin'))
  // Both from one place: an initdb of another version makes a folder the server refuses.
  const pair = [path, ...folders]
    .map((place) => ({
      initdb: Bun.which('initdb', { PATH: place }),
      postgres: Bun.which('postgres', { PATH: place }),
    }))
    .find(({ initdb, postgres }) => initdb !== null && postgres !== null)
  return {
    ...(redisServer !== null && { redisServer }),
    ...(pair?.initdb && { initdb: pair.initdb }),
    ...(pair?.postgres && { postgres: pair.postgres }),
  }
}

/** What has to happen before packages that are missing can be used. */
export function planInstall(missing: readonly TestPackage[], { isRoot, hasApt }: Machine): InstallPlan {
  if (missing.length === 0) return { kind: 'nothing' }
  if (!isRoot || !hasApt) {
    const command = hasApt ? 'sudo apt-get install' : 'install'
    return { kind: 'refuse', message: `The tests need ${missing.join(' and ')}: ${command} ${missing.join(' ')}` }
  }
  // Two runs may install at once: the later one waits for the lock.
  const apt = [APT, '-o', 'DPkg::Lock::Timeout=300']
  return {
    kind: 'install',
    commands: [
      [...apt, 'update'],
      [...apt, 'install', '-y', '--no-install-recommends', ...missing],
    ],
  }
}

/**
 * Paths of the servers of the packages named, installed first where this program may do so.
 * Throws one line that says what to install where it may not.
 */
export async function requireBinaries(needed: readonly ServicePackage[], group: ProcessGroup): Promise<Binaries> {
  const found = findBinaries(usualPlaces())
  const plan = planInstall(missingPackages(needed, found), thisMachine())
  if (plan.kind === 'nothing') return found
  if (plan.kind === 'refuse') throw new Error(plan.message)
  await withoutAutostart(() => installPackages(plan, group))
  const installed = findBinaries(usualPlaces())
  const stillMissing = missingPackages(needed, installed)
  if (stillMissing.length > 0) throw new Error(`apt-get installed ${stillMissing.join(', ')}, but no server was found`)
  return installed
}

/** Runs what a plan says. */
export async function installPackages(plan: InstallPlan, group: ProcessGroup): Promise<void> {
  if (plan.kind !== 'install') return
  for (const command of plan.commands) {
    console.log(`Installing what the tests need: ${command.join(' ')}`)
    await group.run({
      name: 'apt-get',
      command: ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive', ...command],
      folder: '/',
      deadlineMs: INSTALL_DEADLINE_MS,
    })
  }
}

export function missingPackages(needed: readonly ServicePackage[], found: Binaries): ServicePackage[] {
  return needed.filter((name) =>
    name === 'redis-server' ? found.redisServer === undefined : found.postgres === undefined,
  )
}

/** Keeps Debian from starting the services it installs; a policy that is already there stays as it is. */
async function withoutAutostart(install: () => Promise<void>): Promise<void> {
  if (existsSync(POLICY_FILE)) return install()
  await writeFile(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await install()
  } finally {
    await rm(POLICY_FILE, { force: true })
  }
}
