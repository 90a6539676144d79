/**
 * `bun run test:unit [arguments of bun test]`: the tests beside the code of src and plugins that need nothing started,
 * neither Redis, nor a database, nor Weir as a process.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/** A test file that imports one of these, itself or through others, needs something started. */
const STARTERS = new Set(
  ['src/store/database/pglite.ts', 'test/support/services.ts', 'test/support/command.ts'].map((path) =>
    join(ROOT, path),
  ),
)

const transpiler = new Bun.Transpiler({ loader: 'ts' })
const files = [...new Bun.Glob('{src,plugins}/**/*.test.ts').scanSync(ROOT)].sort()
const unitTests = files.filter((file) => !needsStart(join(ROOT, file), new Set()))

const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    '--no-orphans',
    '--parallel',
    ...unitTests.map((file) => `./${file}`),
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit'] },
)
process.exitCode = await tests.exited

function needsStart(file: string, seen: Set<string>): boolean {
  if (STARTERS.has(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return transpiler
    .scanImports(readFileSync(file, 'utf8'))
    .some(({ path }) => path.startsWith('.') && path.endsWith('.ts') && needsStart(join(dirname(file), path), seen))
}
