import { jsonPlan, ssePlan } from '../../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { type Fixture, loadFixtures } from '../../../../src/kit/testing/fixture.ts'

/** A provider on a loopback socket that gives the recorded answers of its fixtures, the next one as `play` says. */
export interface RecordedUpstream {
  readonly server: MockServer
  /** @returns what was recorded, for the client to ask and the test to expect */
  play(name: string): Fixture
  /** Path and body of the newest call. */
  last(): { readonly path: string; readonly body: unknown; readonly headers: ReadonlyMap<string, string> }
}

export const startRecordedUpstream = async (provider: string): Promise<RecordedUpstream> => {
  const folder = new URL(`../../../../plugins/providers/${provider}/fixtures/`, import.meta.url)
  const fixtures = new Map(loadFixtures(folder).map(({ name, fixture }) => [name, fixture]))
  let played: Fixture | undefined
  const server = await startMockServer({
    maxRecorded: 1,
    answer: () => {
      if (played === undefined) return undefined
      return played.stream === undefined ? jsonPlan(played.status ?? 200, played.answer) : ssePlan([played.stream])
    },
  })
  return {
    server,
    play(name) {
      const found = fixtures.get(name)
      if (found === undefined) throw new Error(`${provider} has no fixture ${name}`)
      played = found
      return found
    },
    last() {
      const [request] = server.requests
      if (request === undefined) throw new Error('nothing has arrived')
      const { path, headers, body } = request
      return { path, headers, body: JSON.parse(new TextDecoder().decode(body)) }
    },
  }
}
