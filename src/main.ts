#!/usr/bin/env bun
/**
 * The `weir` command: the only file that touches the process. It hands the command an environment and exits with the
 * code that comes back.
 */
import { runCli } from './cli/cli.ts'
import type { Environment, SupervisorChannel } from './cli/terminal/environment.ts'
import { onRunnerEnd } from './cli/terminal/runner-end.ts'
import { ROLE_VARIABLE } from './cli/workers/messages.ts'
import { provideKit } from './compose/provide-kit.ts'

provideKit()

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** Absent where no supervisor started this process. */
const supervisor: SupervisorChannel | undefined = process.env[ROLE_VARIABLE]
  ? {
      send: (message) =>
        new Promise((resolve) => {
          if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
          else resolve()
        }),
      onMessage: (listener) => void process.on('message', listener),
      onEnd: (listener) => {
        process.on('disconnect', listener)
        if (!process.connected) listener()
      },
    }
  : undefined

let stops = 0
const forcedEnds: (() => void)[] = []
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
      // A second signal means it: whoever sends it does not want to wait for running calls. A worker gets them beside its supervisor.
      if (name !== 'SIGHUP' && supervisor === undefined && ++stops > 1) {
        for (const end of forcedEnds) end()
        process.exit(1)
      }
      listener()
    })
    if (name === 'SIGTERM') onRunnerEnd(process.env.npm_lifecycle_event, listener)
  },
  onForcedEnd: (listener) => void forcedEnds.push(listener),
  program: Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...process.execArgv, process.argv[1] ?? Bun.main],
  ...(supervisor !== undefined && { supervisor }),
}

process.exit(await runCli(environment))
