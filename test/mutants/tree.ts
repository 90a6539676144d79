import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mutant, mutate } from './mutant.ts'

const ROOT = join(import.meta.dir, '..', '..')
const COPIED = ['src', 'test', 'package.json', 'bunfig.toml', 'tsconfig.json']
const LINKED = ['node_modules', 'plugins', 'docs']
/** A fault may make a suite run for ever. */
const DEADLINE_MS = 300_000

/** `passed`: the suite saw nothing. `broken`: it did not even run, which proves nothing. */
export type Outcome = 'failed' | 'passed' | 'late' | 'broken'

/** A copy of the repository, in which faults can be made. */
export interface Tree {
  /** Runs a suite on the code as it is. */
  run(suite: string): Promise<Outcome>
  /** Runs the suite of a mutant with the fault in the code, and takes the fault out again. */
  runMutant(mutant: Mutant): Promise<Outcome>
  remove(): Promise<void>
}

/** @param environment with the services that the suites need */
export const createTree = async (environment: NodeJS.ProcessEnv): Promise<Tree> => {
  const root = await mkdtemp(join(tmpdir(), 'weir-mutants-'))
  for (const name of COPIED) await cp(join(ROOT, name), join(root, name), { recursive: true })
  for (const name of LINKED) await symlink(join(ROOT, name), join(root, name))

  const run = async (suite: string): Promise<Outcome> => {
    const tests = Bun.spawn([process.execPath, 'test', '--no-orphans', '--bail', ...suite.split(' ')], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
    })
    const [output, errors, code] = await Promise.all([
      new Response(tests.stdout).text(),
      new Response(tests.stderr).text(),
      tests.exited,
    ])
    if (code === 0) return 'passed'
    if (tests.signalCode !== null) return 'late'
    return `${output}${errors}`.includes('(fail)') ? 'failed' : 'broken'
  }

  return {
    run,
    async runMutant(mutant) {
      const path = join(root, mutant.file)
      const text = await Bun.file(path).text()
      await Bun.write(path, mutate(text, mutant))
      try {
        return await run(mutant.suite)
      } finally {
        await Bun.write(path, text)
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
