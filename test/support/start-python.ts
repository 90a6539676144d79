import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installPackages, planInstall, thisMachine } from './start-binaries.ts'
import type { ProcessGroup } from './start-process.ts'

const REQUIREMENTS = new URL('python-requirements.txt', import.meta.url)
const PROBE_DEADLINE_MS = 30_000
const INSTALL_DEADLINE_MS = 300_000
/** Fails where Debian has split off what makes environments, and where the clients would not run. */
const PROBE = `import ensurepip, sys, venv
if sys.version_info < (3, 11): sys.exit('the clients need Python 3.11 or newer, this is ' + sys.version)
print(sys.executable, sys.version)`

/** Where environments are kept from run to run, outside the checkout. */
export const pythonCache = (environment: NodeJS.ProcessEnv): string =>
  environment.WEIR_TEST_CACHE ?? join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weir-tests')

/**
 * Path of a Python that has the packages of `python-requirements.txt`. It is made once for each list of packages and each
 * Python, which takes about a minute and 980 MB.
 * @param python the one to begin with, a name on PATH or a path
 * @throws Error with what to install, or with the end of what failed
 */
export async function preparePython(group: ProcessGroup, cache: string, python = 'python3'): Promise<string> {
  const version = await probe(group, python)
  const key = new Bun.CryptoHasher('sha256').update(version).update(await readFile(REQUIREMENTS))
  const folder = join(cache, `python-${key.digest('hex').slice(0, 16)}`)
  const made = join(folder, 'bin', 'python')
  if (existsSync(made)) return made

  console.log(`Installing the Python clients that the tests drive, once, into ${folder}`)
  await mkdir(cache, { recursive: true })
  // Not in its place until it is whole: a run may be stopped, and two may begin at once.
  const draft = `${folder}.${process.pid}`
  try {
    await run(group, [python, '-m', 'venv', draft])
    const pip = [join(draft, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
    // The list has all that is needed; what packages name besides is left out.
    await run(group, [...pip, '--no-compile', '--no-deps', '--requirement', REQUIREMENTS.pathname])
    await rename(draft, folder)
  } catch (error) {
    if (!existsSync(made)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return made
}

/** What this Python is, after installing what it lacks where this program may do so. */
async function probe(group: ProcessGroup, python: string): Promise<string> {
  const look = (): Promise<string> =>
    group.run({ name: python, command: [python, '-c', PROBE], folder: '/', deadlineMs: PROBE_DEADLINE_MS })
  try {
    return await look()
  } catch {
    const plan = planInstall(['python3-venv'], thisMachine())
    if (plan.kind === 'refuse') throw new Error(plan.message)
    await installPackages(plan, group)
    return look()
  }
}

const run = (group: ProcessGroup, command: readonly string[]): Promise<string> =>
  group.run({ name: command.slice(1, 3).join(' '), command, folder: '/', deadlineMs: INSTALL_DEADLINE_MS })
