import { CHAT, chatQuestion, type Lane, requestOf } from '../lanes.ts'
import { API_KEY } from '../subjects/keys.ts'
import { startWeir } from '../subjects/weir.ts'
import type { Experiment } from './experiment.ts'

/** A first start on an empty folder: the embedded database is made on the way. */
const embedded: Lane = {
  name: 'bare',
  title: '',
  async open(world) {
    const headers = { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'openai' }
    const probe = (url: string) => requestOf(url, headers, chatQuestion('openai', CHAT))
    const subject = await startWeir({ ...world, answer: CHAT.answer, hasLog: false, probe })
    return { subject, request: probe(subject.url), wire: 'openai' }
  },
}

export const start: Experiment = {
  name: 'start',
  title: 'Start',
  about: 'From the start of the process to the first chat request that is answered with 200.',
  lanes: ['floor', 'bare', 'governed', 'peer-node', 'peer-bun'],
  async run(bench) {
    const { world, notebook } = bench
    const chosen = await bench.openEach(this.lanes, async (lane) => lane)
    const places = [
      ...chosen.map((lane) => ({ lane, setting: '' })),
      ...(chosen.some(({ name }) => name === embedded.name)
        ? [{ lane: embedded, setting: 'first start, embedded database' }]
        : []),
    ]
    await bench.inRounds(places, async ({ lane, setting }) => {
      const { subject } = await lane.open(world, CHAT, true)
      if (subject === undefined) return
      notebook.note(lane.name, setting, { startMs: subject.startMs })
      await subject.stop()
    })
  },
}
