import { join } from 'node:path'
import type { LoadRequest } from '../load/wrk.ts'
import type { AnswerKind } from '../upstream/behaviours.ts'
import type { Upstream } from '../upstream/start.ts'
import { type Subject, startSubject } from './subject.ts'

export interface FloorOptions {
  readonly folder: string
  readonly upstream: Upstream
  readonly answer: AnswerKind
  readonly script: 'floor.ts' | 'floor-json.ts'
  readonly probe: (url: string) => LoadRequest
}

export const startFloor = ({ folder, upstream, answer, script, probe }: FloorOptions): Promise<Subject> =>
  startSubject({
    name: `the floor (${script})`,
    folder,
    command: () => [process.execPath, join(import.meta.dir, script)],
    // Or `fetch` would queue requests past 256; the client of Weir has no such limit.
    env: (port) => ({
      PORT: String(port),
      UPSTREAM: upstream.url('openai', answer),
      BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
    }),
    probe,
  })
