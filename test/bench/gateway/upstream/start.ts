import { join } from 'node:path'
import { spawnProgram } from '../process/spawn.ts'
import type { Wire } from './answers.ts'
import type { AnswerKind } from './behaviours.ts'

export interface Upstream {
  readonly pid: number
  /** Base URL, without a path. */
  url(wire: Wire, answer: AnswerKind): string
  /** Connections that were opened to that port so far. */
  opened(wire: Wire, answer: AnswerKind): Promise<number>
  close(): Promise<void>
}

interface Announcement {
  readonly ports: Readonly<Record<string, number>>
  readonly control: number
}

export const startUpstream = async (): Promise<Upstream> => {
  const program = spawnProgram({
    name: 'the upstream',
    command: [process.execPath, join(import.meta.dir, 'server.ts')],
    stdout: 'pipe',
  })
  const { ports, control } = JSON.parse(await program.line()) as Announcement
  return {
    pid: program.pid,
    url(wire, answer) {
      const port = ports[`${wire}-${answer}`]
      if (port === undefined) throw new Error(`The upstream has no port for ${wire} and ${answer}`)
      return `http://127.0.0.1:${port}`
    },
    async opened(wire, answer) {
      const counts = (await (await fetch(`http://127.0.0.1:${control}/`)).json()) as Readonly<Record<string, number>>
      return counts[`${wire}-${answer}`] ?? 0
    },
    close: program.stop,
  }
}
