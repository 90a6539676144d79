import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyEmbeddedDatabase } from '../support/embedded-database.ts'

/** A start, beside other tests. */
setDefaultTimeout(300_000)

const ROOT = join(import.meta.dir, '..', '..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-runner-'))
  await symlink(process.execPath, join(folder, 'bun'))
  // As npm starts what it runs: a shell of its own, which is all that it passes a signal on to.
  await Bun.write(
    join(folder, 'npx'),
    `#!/bin/sh
npm_lifecycle_event=npx /bin/sh -c '"$0" "$@"; exit $?' "$@" &
shell=$!
trap 'kill -TERM $shell; exit 143' TERM
wait $shell
`,
  )
  await chmod(join(folder, 'npx'), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runs: readonly (readonly [string, readonly string[]])[] = [
  ['bun run start', ['bun', 'run', 'start']],
  ['npx bun start', ['npx', 'bun', 'start']],
  ['npx bun run start', ['npx', 'bun', 'run', 'start']],
  ['npx bun src/main.ts start', ['npx', 'bun', 'src/main.ts', 'start']],
]

for (const [index, [name, [program = '', ...args]]] of runs.entries()) {
  test(`SIGTERM to \`${name}\` ends the gateway, which drains`, async () => {
    const data = join(folder, `data-${index}`)
    await copyEmbeddedDatabase(data)
    const child = Bun.spawn([join(folder, program), ...args], {
      cwd: ROOT,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        PORT: '0',
        WEIR_DATA_DIR: data,
      },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    let words = ''
    const decoder = new TextDecoder()
    // Ends when the last process that holds the pipe has ended: the gateway.
    for await (const bytes of child.stderr) {
      const isUp = words.includes('"message":"chain"')
      words += decoder.decode(bytes, { stream: true })
      if (!isUp && words.includes('"message":"chain"')) child.kill('SIGTERM')
    }
    await child.exited
    expect(words).toContain('"message":"stopping"')
    // Its data folder is free again: it ended of itself.
    expect(await Bun.file(join(data, 'pgdata', 'postmaster.pid')).exists()).toBe(false)
  })
}
