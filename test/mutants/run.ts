/**
 * `bun test/mutants/run.ts [text]`: puts each fault of `mutants/*.ts` into a copy of the code, one at a time, and runs the
 * suite that has to see it. With a text, only those faults whose list, file or name contains it. Prints a table; the exit
 * code is 1 when a fault was not seen, or a suite fails without any. Services that no TEST_... variable names are started.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createProcessGroup } from '../support/start-process.ts'
import { startServices } from '../support/start-services.ts'
import type { Mutant } from './mutant.ts'
import { createTree, type Tree } from './tree.ts'

const LISTS = join(import.meta.dir, 'mutants')

/** The faults that were asked for. */
const readMutants = async (text: string): Promise<Mutant[]> => {
  const chosen: Mutant[] = []
  for (const path of [...new Bun.Glob('*.ts').scanSync({ cwd: LISTS, absolute: true })].toSorted()) {
    const exported: Record<string, readonly Mutant[]> = await import(path)
    for (const mutant of Object.values(exported).flat())
      if ([basename(path), mutant.file, mutant.name].some((name) => name.includes(text))) chosen.push(mutant)
  }
  return chosen
}

const print = (name: string, file: string, outcome: string, startedMs: number): void =>
  console.log(`| ${name} | ${file} | ${outcome} | ${((performance.now() - startedMs) / 1_000).toFixed(1)} |`)

/** @returns whether each suite passes without a fault, and fails with each of its own */
const runAll = async (tree: Tree, mutants: readonly Mutant[]): Promise<boolean> => {
  console.log('| Fault | File | Outcome | Seconds |\n|---|---|---|---|')
  let isProof = true
  for (const suite of new Set(mutants.map((mutant) => mutant.suite))) {
    const startedMs = performance.now()
    const outcome = await tree.run(suite)
    print('none', suite, outcome, startedMs)
    if (outcome !== 'passed') isProof = false
  }
  let caught = 0
  for (const mutant of mutants) {
    const startedMs = performance.now()
    const outcome = await tree.runMutant(mutant)
    const isCaught = outcome === 'failed' || outcome === 'late'
    if (isCaught) caught += 1
    print(mutant.name, mutant.file, isCaught ? 'caught' : `NOT CAUGHT: ${outcome}`, startedMs)
  }
  console.log(`\n${caught} of ${mutants.length} caught`)
  return isProof && caught === mutants.length && caught > 0
}

const group = createProcessGroup()
const folder = await mkdtemp(join(tmpdir(), 'weir-test-'))
// Ended from outside, the services end too, and with them whatever suite still asks them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void group.close().finally(() => process.exit(1)))

try {
  const mutants = await readMutants(process.argv[2] ?? '')
  // Postgres runs as another user when the tests run as root, and must be able to pass through.
  await chmod(folder, 0o711)
  const urls = await startServices(group, folder, process.env)
  const tree = await createTree({ ...process.env, ...urls })
  try {
    process.exitCode = (await runAll(tree, mutants)) ? 0 : 1
  } finally {
    await tree.remove()
  }
} finally {
  await group.close()
  await rm(folder, { recursive: true, force: true })
}
