/**
 * `bun run build [--target=bun-linux-arm64] [--outfile=path]`: builds Weir as one executable, `dist/weir` by default.
 * The target is this machine's own unless given; Bun downloads its runtime for another one.
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundledFiles } from '../console/bundle.ts'
import type { PackedFiles } from './console/bundle.ts'

const root = join(import.meta.dir, '..')
const { values } = parseArgs({
  options: { target: { type: 'string' }, outfile: { type: 'string', default: join(root, 'dist', 'weir') } },
})

if (values.target !== undefined && !isTarget(values.target)) {
  console.error(
    `--target=${values.target} is unknown: it has the form bun-linux-x64, bun-linux-arm64-musl, bun-darwin-arm64`,
  )
  process.exit(2)
}

await mkdir(dirname(values.outfile), { recursive: true })
const startedMs = performance.now()
const packed: PackedFiles = Object.fromEntries(
  [...(await bundledFiles())].map(([name, bytes]) => [name, bytes.toBase64()]),
)
const result = await Bun.build({
  // Threads begin in a file of their own (src/records/start-worker.ts).
  entrypoints: ['main.ts', 'records/worker.ts', 'records/sqlite/reader-worker.ts'].map((path) =>
    join(root, 'src', path),
  ),
  files: { [join(root, 'src', 'console', 'embedded.ts')]: `export const embedded = ${JSON.stringify(packed)}` },
  compile: {
    outfile: values.outfile,
    ...(values.target !== undefined && { target: values.target }),
    // A bunfig.toml in the folder the gateway is started from is somebody else's.
    autoloadBunfig: false,
  },
  // Names stay: Elysia reads handlers by their source, and traces and logs show function names.
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: 'linked',
  throw: false,
})

for (const message of result.logs) console.error(message)
const executable = result.outputs.find((output) => output.kind === 'entry-point')
if (!result.success || executable === undefined) {
  console.error('The build failed.')
  process.exit(1)
}
const megabytes = (Bun.file(executable.path).size / 1_000_000).toFixed(0)
console.log(`${executable.path}: ${megabytes} MB in ${Math.round(performance.now() - startedMs)} ms`)

function isTarget(target: string): target is Bun.Build.CompileTarget {
  return /^bun-(?:(?:linux|darwin)-(?:x64|arm64|aarch64)|windows-(?:x64|arm64))(?:-(?:baseline|modern|glibc|musl))*$/.test(
    target,
  )
}
