import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testPython } from '../../../support/services.ts'

const FOLDER = new URL('../python/', import.meta.url)
const DEADLINE_MS = 90_000

interface Line {
  readonly name: string
  readonly failure: string | null
}

/**
 * The tests of a file in the folder `python`, each as one of ours. They run one after the other in one process: to load a
 * client takes longer than to use it.
 * @param environment what the file reads, once the gateway runs
 */
export const pythonSuite = (file: string, environment: () => Readonly<Record<string, string>>): void => {
  const source = readFileSync(new URL(`${file}.py`, FOLDER), 'utf8')
  const names = [...source.matchAll(/^ {4}(?:async )?def (test_\w+)/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error(`${file}.py has no tests`)

  describe(file, () => {
    let lines: ReadonlyMap<string, string>
    let errors = ''
    beforeAll(async () => {
      const python = testPython()
      const child = Bun.spawn([python, 'run.py', file], {
        cwd: FOLDER.pathname,
        env: {
          PATH: process.env.PATH ?? '',
          // Beside the environment, and so kept from run to run; not in the checkout.
          PYTHONPYCACHEPREFIX: join(dirname(python), '..', 'bytecode'),
          ...environment(),
        },
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: DEADLINE_MS,
      })
      const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      errors = error
      const read = out.split('\n').flatMap((line): readonly Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []))
      lines = new Map(read.map(({ name, failure }) => [name, failure ?? 'passed']))
    }, DEADLINE_MS + 10_000)

    test.each(names)('%s', (name) => {
      expect(lines.get(name) ?? `did not run; errors of the process:\n${errors}`).toBe('passed')
    })
  })
}
