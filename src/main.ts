#!/usr/bin/env bun
/**
 * The `weir` command: the only file that touches the process. It hands the command an environment and exits with the
 * code that comes back.
 */
import { runCli } from './cli/cli.ts'
import type { Environment } from './cli/terminal/environment.ts'
import { onRunnerEnd } from './cli/terminal/runner-end.ts'
import { provideKit } from './compose/provide-kit.ts'

provideKit()

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

let stops = 0
const environment: Environment = {
  arguments: process.argv.slice(2),
  env: process.env,
  folder: process.cwd(),
  out: (text) => write(process.stdout, text),
  readInput: () => Bun.stdin.text(),
  error: (text) => {
    write(process.stderr, text).catch(() => undefined)
  },
  terminal: { out: process.stdout.isTTY === true, error: process.stderr.isTTY === true },
  onSignal: (name, listener) => {
    process.on(name, () => {
      // A second signal means it: whoever sends it does not want to wait for running calls.
      if (name !== 'SIGHUP' && ++stops > 1) process.exit(1)
      listener()
    })
    if (name === 'SIGTERM') onRunnerEnd(process.env.npm_lifecycle_event, listener)
  },
}

process.exit(await runCli(environment))
