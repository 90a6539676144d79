/** Characters of what a program writes that are kept for the message when it fails. */
const KEPT_TEXT = 8_000
const STOP_DEADLINE_MS = 10_000

export interface ProgramOptions {
  /** For messages. */
  readonly name: string
  readonly command: readonly string[]
  readonly folder?: string
  /** Added to PATH, HOME and TMPDIR: nothing else of this process leaks in. */
  readonly env?: Readonly<Record<string, string>>
  /** `pipe` for the first line, a number for a file descriptor. Default: thrown away. */
  readonly stdout?: 'pipe' | number
  /** Written to its standard input, which stays open. */
  readonly firstInput?: string
}

export interface Program {
  readonly pid: number
  readonly hasEnded: boolean
  /** Its standard error so far, the end of it. */
  errors(): string
  /** The next line of its standard output. @throws Error with its standard error when it ends before that */
  line(): Promise<string>
  /** Closes its standard input, and resolves with all of its standard output. @throws Error when it fails */
  finish(): Promise<string>
  /** Its end: the exit code. */
  readonly exited: Promise<number>
  stop(): Promise<void>
}

/** Everything that this program started and that still runs: stopped at its end, however that comes. */
const running = new Set<Program>()

export const stopAll = async (): Promise<void> => {
  await Promise.all([...running].map((program) => program.stop()))
}

export const spawnProgram = ({ name, command, folder, env, stdout, firstInput }: ProgramOptions): Program => {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const child = Bun.spawn([...command], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
    stdin: 'pipe',
    stdout: stdout ?? 'ignore',
    stderr: 'pipe',
  })
  if (firstInput !== undefined) {
    child.stdin.write(firstInput)
    void child.stdin.flush()
  }
  let errors = ''
  let output = ''
  let lineStart = 0
  let hasEnded = false
  const follow = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }))
  }
  const errorsRead = follow(child.stderr, (text) => {
    errors = (errors + text).slice(-KEPT_TEXT)
  })
  let onOutput: () => void = () => undefined
  const outputRead =
    child.stdout instanceof ReadableStream
      ? follow(child.stdout, (text) => {
          output += text
          onOutput()
        })
      : Promise.resolve()
  const exited = Promise.all([child.exited, errorsRead, outputRead]).then(([code]) => {
    hasEnded = true
    running.delete(program)
    return code
  })
  const failed = (): Error =>
    new Error(`${name} ended with ${child.exitCode ?? child.signalCode}: ${errors.trimStart()}`)
  const program: Program = {
    pid: child.pid,
    get hasEnded() {
      return hasEnded
    },
    errors: () => errors,
    line: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const end = output.indexOf('\n', lineStart)
          if (end === -1) return
          resolve(output.slice(lineStart, end))
          lineStart = end + 1
          onOutput = () => undefined
        }
        onOutput = look
        look()
        exited.then(() => reject(failed())).catch(reject)
      }),
    async finish() {
      await child.stdin.end()
      if ((await exited) !== 0) throw failed()
      return output
    },
    exited,
    async stop() {
      if (hasEnded) return
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
      child.kill('SIGTERM')
      await exited
      clearTimeout(late)
    },
  }
  running.add(program)
  return program
}
