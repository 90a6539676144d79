/**
 * `bun run test [arguments of bun test]`: starts the services the tests need, runs `bun test`, and stops them again.
 * A service whose TEST_... variable is already set is used as it is and not started.
 */
import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { availableParallelism, constants, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHARED_FOLDER_VARIABLE } from './support/services.ts'
import { createProcessGroup, stopChild } from './support/start-process.ts'
import { preparePython, pythonCache } from './support/start-python.ts'
import { startServices } from './support/start-services.ts'

const IN_MEMORY = '/dev/shm'
/** Several times what a run leaves lying about at once. */
const IN_MEMORY_BYTES = 8 * 1024 ** 3

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const group = createProcessGroup()
const folder = await mkdtemp(join(await placeForFiles(), 'weir-test-'))
let tests: Bun.Subprocess | undefined
let stoppedBy: NodeJS.Signals | undefined

for (const signal of STOP_SIGNALS) {
  process.on(signal, () => {
    stoppedBy ??= signal
    if (tests === undefined) void group.close()
    else void stopChild(tests, 'SIGTERM')
  })
}

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    // Postgres runs as another user when the tests run as root, and must be able to pass through.
    await chmod(folder, 0o711)
    const startedMs = performance.now()
    const [urls, python] = await Promise.all([startServices(group, folder, process.env), findPython()])
    const names = Object.keys(urls).join(', ') || 'none, all were given'
    if (process.argv.length === 2) console.log('All tests: about eight minutes on two cores.')
    console.log(`Services started in ${Math.round(performance.now() - startedMs)} ms: ${names}`)
    const shared = join(folder, 'shared')
    await mkdir(shared, { mode: 0o700 })
    // As open as the system's own: some tests start a Postgres there.
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    await chmod(temporary, 0o1777)
    const variables = { ...urls, ...python, [SHARED_FOLDER_VARIABLE]: shared, TMPDIR: temporary }
    return stoppedBy === undefined ? await runTests(variables) : exitCodeOf(stoppedBy)
  } catch (error) {
    if (stoppedBy !== undefined) return exitCodeOf(stoppedBy)
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    await group.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Where all files of the run are: in memory where there is plenty of it, since hundreds of small databases are made and
 * thrown away, and half of what the system does in a run is to write them to a disk. `TMPDIR` overrules that.
 */
async function placeForFiles(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const [, , kind, options = ''] = mounts.find(([, place]) => place === IN_MEMORY) ?? []
    const { bavail, bsize } = await statfs(IN_MEMORY)
    const hasRoom = Math.min(bavail * bsize, freemem()) >= IN_MEMORY_BYTES
    // Some tests build a program and run it.
    if (kind === 'tmpfs' && !options.split(',').includes('noexec') && hasRoom) return IN_MEMORY
  } catch {
    // Another system than Linux.
  }
  return tmpdir()
}

/** Most tests do without: those that do not fail by themselves, and this line says why. */
async function findPython(): Promise<Record<string, string>> {
  if (process.env.TEST_PYTHON) return {}
  try {
    return { TEST_PYTHON: await preparePython(group, pythonCache(process.env)) }
  } catch (error) {
    if (stoppedBy === undefined)
      console.error(`No Python for the tests: ${error instanceof Error ? error.message : error}`)
    return {}
  }
}

async function runTests(variables: Record<string, string>): Promise<number> {
  const given = process.argv.slice(2)
  // One more than there are cores: some files wait for most of their time, such as those about silences and time-outs.
  const workers = `--parallel=${availableParallelism() + 1}`
  const parallel = given.some((argument) => argument.startsWith('--parallel')) ? [] : [workers]
  // A busy machine takes several times as long as an idle one. What hangs is found all the same.
  const timeout = given.some((argument) => argument.startsWith('--timeout')) ? [] : ['--timeout=30000']
  // Not `bun`: under `npx bun run test` there is none on PATH.
  tests = Bun.spawn([process.execPath, 'test', '--no-orphans', ...parallel, ...timeout, ...given], {
    env: { ...process.env, ...variables },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  const code = await tests.exited
  if (stoppedBy !== undefined) return exitCodeOf(stoppedBy)
  return tests.signalCode === null ? code : exitCodeOf(tests.signalCode)
}

/** The shell's way to say that a signal ended a program. */
function exitCodeOf(signal: NodeJS.Signals | number): number {
  return 128 + (typeof signal === 'number' ? signal : constants.signals[signal])
}
