import { CHAT, chatQuestion, requestOf } from '../lanes.ts'
import { API_KEY } from '../subjects/keys.ts'
import { startWeir } from '../subjects/weir.ts'
import type { Experiment } from './experiment.ts'
import { loadTarget, readLoad } from './load-lane.ts'

const CONNECTIONS = 64
const FEW = 10
/** Keys in use at a time: fewer than the gateway keeps in memory. */
const IN_USE = 1_000

export const keys: Experiment = {
  name: 'keys',
  title: 'Numbers of API keys',
  about: `So many keys are stored, of which ${IN_USE.toLocaleString('en')} call in turns (all, where there are fewer). In the last line all of them do, so that each call has to look its key up in the database.`,
  settings: 'keys',
  lanes: ['bare'],
  async run(bench) {
    const { world, notebook } = bench
    const [lane] = await bench.openEach(this.lanes, async (one) => one)
    if (lane === undefined) return
    const stores = await world.stores()
    const { manyKeys } = world.effort
    const many = await stores.withKeys(manyKeys)
    const headers = { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'openai' }
    const build = (url: string) => requestOf(url, headers, chatQuestion('openai', CHAT))
    const open = async (setting: string, databaseUrl: string, used: readonly string[]) => {
      const subject = await world.subject(`weir keys ${databaseUrl}`, () =>
        startWeir({ ...world, answer: CHAT.answer, databaseUrl, hasLog: false, probe: build }),
      )
      const request = { ...build(subject.url), keys: used }
      const target = { subject, request, wire: 'openai' as const }
      return { setting, ...(await loadTarget(world, { lane, scene: CHAT, target })) }
    }
    const places = [
      await open(String(FEW), stores.main.databaseUrl, stores.main.keys.slice(0, FEW)),
      await open(manyKeys.toLocaleString('en'), many.databaseUrl, many.keys.slice(0, IN_USE)),
      await open(`${manyKeys.toLocaleString('en')}, all in use`, many.databaseUrl, many.keys),
    ]
    await bench.inRounds(places, async (place) => {
      const {
        cpu = 0,
        rps = 0,
        p50 = 0,
        p99 = 0,
      } = await readLoad(world, place, {
        connections: CONNECTIONS,
        seconds: world.effort.seconds,
      })
      notebook.note(lane.name, place.setting, { cpu, rps, p50, p99 })
    })
  },
}
