import { afterAll, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries, missingPackages, planInstall } from './start-binaries.ts'

const folder = await mkdtemp(join(tmpdir(), 'weir-binaries-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function program(...parts: readonly string[]): Promise<string> {
  const file = join(folder, ...parts)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, 0o755)
  return file
}

test('Postgres is found off PATH, in the newest version folder that has both programs', async () => {
  const redisServer = await program('path', 'redis-server')
  for (const version of ['9', '15']) {
    await program('versions', version, 'bin', 'initdb')
    await program('versions', version, 'bin', 'postgres')
  }
  await program('versions', '17', 'bin', 'initdb')
  const found = findBinaries({ path: join(folder, 'path'), postgresRoot: join(folder, 'versions') })
  expect(found).toEqual({
    redisServer,
    initdb: join(folder, 'versions', '15', 'bin', 'initdb'),
    postgres: join(folder, 'versions', '15', 'bin', 'postgres'),
  })
  expect(missingPackages(['redis-server', 'postgresql'], found)).toEqual([])
})

test('nothing is found where nothing is', () => {
  const found = findBinaries({ path: join(folder, 'none'), postgresRoot: join(folder, 'none') })
  expect(found).toEqual({})
  expect(missingPackages(['redis-server', 'postgresql'], found)).toEqual(['redis-server', 'postgresql'])
  expect(missingPackages(['postgresql'], found)).toEqual(['postgresql'])
})

test('root on Debian installs what is missing, and no more', () => {
  const plan = planInstall(['postgresql'], { isRoot: true, hasApt: true })
  expect(plan).toEqual({
    kind: 'install',
    commands: [
      ['/usr/bin/apt-get', '-o', 'DPkg::Lock::Timeout=300', 'update'],
      [
        ...['/usr/bin/apt-get', '-o', 'DPkg::Lock::Timeout=300'],
        ...['install', '-y', '--no-install-recommends', 'postgresql'],
      ],
    ],
  })
})

test.each([
  [{ isRoot: false, hasApt: true }, 'sudo apt-get install redis-server postgresql'],
  [{ isRoot: true, hasApt: false }, 'install redis-server postgresql'],
])('elsewhere one line says what to install: %p', (machine, advice) => {
  const plan = planInstall(['redis-server', 'postgresql'], machine)
  expect(plan).toEqual({ kind: 'refuse', message: `The tests need redis-server and postgresql: ${advice}` })
})

test('nothing is installed when nothing is missing', () => {
  expect(planInstall([], { isRoot: true, hasApt: true })).toEqual({ kind: 'nothing' })
})
