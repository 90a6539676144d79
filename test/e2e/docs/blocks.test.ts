import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runCli } from '../../../src/cli/cli.ts'
import { provideKit } from '../../../src/compose/provide-kit.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import {
  BLOCKS,
  blocksOfKind,
  checkoutFolder,
  type Folder,
  fileBlock,
  operatorFolder,
  PLUGIN_FILES,
  READER_ENV,
} from './workspace.ts'

/** Kinds of block, with the notes that each may have. Every block is one of these, so that none goes unrun. */
const KINDS: Readonly<Record<string, RegExp>> = {
  sh: /^(status=[0-9]{3}(,[0-9]{3})*|no-run: .{10,})?$/,
  yaml: /^weir\.config\.yaml$/,
  ts: /^(client|config|file=[a-z.-]+)$/,
  python: /^$/,
  json: /^(fixture=[a-z.-]+)?$/,
  text: /^chain$/,
}

test('every block is of a kind that is run, and says what it is', () => {
  expect(BLOCKS.length).toBeGreaterThan(20)
  for (const { kind, note, place } of BLOCKS) expect(note, `${place}: ${kind}`).toMatch(KINDS[kind] ?? /^unknown kind$/)
})

test('no more than three blocks are not run', () => {
  expect(BLOCKS.filter(({ note }) => note.startsWith('no-run')).length).toBeLessThanOrEqual(3)
})

test('the files that are run are those that the pages show', () => {
  const shown = blocksOfKind('ts').flatMap(({ note }) => (note.startsWith('file=') ? [note.slice('file='.length)] : []))
  expect(shown.sort()).toEqual([...PLUGIN_FILES, 'acme.test.ts', 'embedded.ts'].sort())
})

test.each(blocksOfKind('json').map(({ place, text }) => [place, text]))('%s is JSON', (_, text) => {
  expect(JSON.parse(text)).toBeObject()
})

const CONFIGS = [
  ...blocksOfKind('yaml').map(({ place, text }) => [place, 'weir.config.yaml', text] as const),
  ...blocksOfKind('ts')
    .filter(({ note }) => note === 'config')
    .map(({ place, text }) => [place, 'weir.config.ts', text] as const),
]

describe('configs', () => {
  beforeAll(provideKit)

  test.each(CONFIGS)('%s can run', async (_, file, text) => {
    const folder = operatorFolder(file, text)
    let out = ''
    let error = ''
    const code = await runCli({
      arguments: ['check'],
      env: READER_ENV,
      folder: folder.path,
      out: async (written) => {
        out += written
      },
      error: (written) => {
        error += written
      },
      readInput: () => Promise.resolve(''),
      onSignal: () => undefined,
    })
    folder.remove()
    expect(error).toBe('')
    expect(out).toContain('The config is valid')
    expect(code).toBe(0)
  })
})

describe('code', () => {
  let folder: Folder
  beforeAll(() => {
    folder = checkoutFolder()
  })
  afterAll(() => folder.remove())

  test('every TypeScript block fits the types', async () => {
    for (const { note, place, text } of blocksOfKind('ts')) {
      if (note === 'file=acme.test.ts') continue
      folder.write(`test/${place.replace(/[^a-z0-9]/gi, '-')}.ts`, text)
    }
    const tsc = Bun.spawn([process.execPath, 'node_modules/.bin/tsc', '--project', 'tsconfig.docs.json'], {
      cwd: folder.path,
      stdout: 'pipe',
    })
    const report = await new Response(tsc.stdout).text()
    expect(report).toBe('')
    expect(await tsc.exited).toBe(0)
  }, 120_000)

  test('the program that embeds a gateway gets its answer', async () => {
    const file = folder.write('embedded.ts', fileBlock('embedded.ts').text)
    await copyEmbeddedDatabase(join(folder.path, 'data'))
    const program = Bun.spawn([process.execPath, file], { cwd: folder.path, env: {}, stdout: 'pipe', stderr: 'pipe' })
    const [out, error, code] = await Promise.all([
      new Response(program.stdout).text(),
      new Response(program.stderr).text(),
      program.exited,
    ])
    expect({ error, code }).toEqual({ error: '', code: 0 })
    expect(out).toMatch(/^200 .*"role":"assistant"/)
  }, 90_000)

  test('the provider of the README passes the conformance tests', async () => {
    const tests = Bun.spawn([process.execPath, 'test', 'plugins/providers/acme'], {
      cwd: folder.path,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const report = await new Response(tests.stderr).text()
    expect(await tests.exited, report).toBe(0)
    expect(report).toMatch(/^ *[1-9][0-9]* pass$/m)
  }, 120_000)
})
