import { type BodySize, chatBody, dialectBody } from './load/bodies.ts'
import { PROMPT_PATH, promptBody } from './load/prompts.ts'
import type { LoadRequest } from './load/wrk.ts'
import { startFloor } from './subjects/floors.ts'
import { API_KEY } from './subjects/keys.ts'
import { startLiteLLM } from './subjects/litellm.ts'
import { peerHeaders, startPeer } from './subjects/peer.ts'
import { CONFIGS, LABELS, type PolicyCount } from './subjects/seed-plan.ts'
import type { Subject } from './subjects/subject.ts'
import { startWeir } from './subjects/weir.ts'
import type { Wire } from './upstream/answers.ts'
import type { AnswerKind } from './upstream/behaviours.ts'
import type { World } from './world.ts'

/** What varies within a lane. */
export interface Scene {
  readonly answer: AnswerKind
  readonly size: BodySize
  /** Of the governed lanes. */
  readonly policies: PolicyCount
}

export const CHAT: Scene = { answer: 'json', size: '4 KB', policies: 2 }

/** Somebody to ask, and what. */
export interface Target {
  /** Absent: the upstream itself. */
  readonly subject?: Subject
  readonly request: LoadRequest
  readonly wire: Wire
}

/** One way through one program. */
export interface Lane {
  readonly name: string
  readonly title: string
  /** Starts what it needs, or gets what runs already. `isOwn`: a program of its own, whose memory nobody else used. */
  open(world: World, scene: Scene, isOwn?: boolean): Promise<Target>
  /** Why it cannot be measured here. */
  missing?(world: World): Promise<string | undefined>
}

/** What a lane asks for, wherever the program is. */
export interface Question {
  readonly path: string
  readonly body: string
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const chatQuestion = (wire: Wire, { answer, size }: Scene): Question => ({
  path: '/v1/chat/completions',
  body: chatBody({ wire, size, stream: answer !== 'json' }),
})

const dialectQuestion =
  (dialect: 'responses' | 'messages') =>
  (_: Wire, { answer, size }: Scene): Question => ({
    path: `/v1/${dialect}`,
    body: dialectBody(dialect, { wire: 'openai', size, stream: answer !== 'json' }),
  })

/** The prompt that the database holds: it has one size, whatever the scene says. */
const promptQuestion = (_: Wire, { answer }: Scene): Question => ({
  path: PROMPT_PATH,
  body: promptBody(answer !== 'json'),
})

export const requestOf = (
  url: string,
  headers: Readonly<Record<string, string>>,
  { path, body }: Question,
): LoadRequest => ({ url: `${url}${path}`, headers: { ...JSON_TYPE, ...headers }, body })

let owned = 0

interface Opening {
  readonly program: string
  readonly wire: Wire
  readonly headers: Readonly<Record<string, string>>
  /** Default: a chat request. */
  readonly question?: Question
  readonly start: (probe: (url: string) => LoadRequest) => Promise<Subject>
}

const openWith = async (
  world: World,
  scene: Scene,
  isOwn: boolean,
  { program, wire, headers, question = chatQuestion(wire, scene), start }: Opening,
): Promise<Target> => {
  const build = (url: string): LoadRequest => requestOf(url, headers, question)
  if (isOwn) owned += 1
  const name = `${program} ${scene.answer}${isOwn ? ` ${owned}` : ''}`
  const subject = await world.subject(name, () => start(build))
  return { subject, request: build(subject.url), wire }
}

const floorLane = (name: string, title: string, script: 'floor.ts' | 'floor-json.ts'): Lane => ({
  name,
  title,
  open: (world, scene, isOwn = false) =>
    openWith(world, scene, isOwn, {
      program: name,
      wire: 'openai',
      headers: {},
      start: (probe) => startFloor({ ...world, answer: scene.answer, script, probe }),
    }),
})

/** A key and nothing else: no config, no policies, no line for each call; its record, as an operator gets it unasked. */
const plainLane = (name: string, title: string, wire: Wire, questionOf = chatQuestion): Lane => ({
  name,
  title,
  open: async (world, scene, isOwn = false) => {
    const { databaseUrl } = (await world.stores()).main
    return openWith(world, scene, isOwn, {
      program: `weir ${name}`,
      wire,
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'x-gateway-provider': wire === 'anthropic' ? 'anthropic' : 'openai',
      },
      question: questionOf(wire, scene),
      start: (probe) => startWeir({ ...world, answer: scene.answer, wire, databaseUrl, hasLog: false, probe }),
    })
  },
})

/** All that a team turns on: key, saved config, labels, policies that are counted in Redis, and a record of each call. */
const governedLane = (name: string, title: string, config: string): Lane => ({
  name,
  title,
  open: async (world, scene, isOwn = false) => {
    const { main, redisUrl } = await world.stores()
    const { databaseUrl } = main
    return openWith(world, scene, isOwn, {
      program: 'weir governed',
      wire: 'openai',
      headers: {
        authorization: `Bearer ${main.keyOf[scene.policies] ?? ''}`,
        'x-gateway-config': config,
        'x-gateway-metadata': JSON.stringify(LABELS),
      },
      start: (probe) => startWeir({ ...world, answer: scene.answer, databaseUrl, redisUrl, hasLog: true, probe }),
    })
  },
})

const peerLane = (name: string, title: string, runtime: () => string | null): Lane => ({
  name,
  title,
  missing: async (world) => {
    if (runtime() === null) return 'its runtime is not installed'
    const peer = await world.peer()
    return 'reason' in peer ? peer.reason : undefined
  },
  open: async (world, scene, isOwn = false) => {
    const peer = await world.peer()
    if ('reason' in peer) throw new Error(`The peer ${peer.reason}`)
    return openWith(world, scene, isOwn, {
      program: name,
      wire: 'openai',
      headers: peerHeaders(world.upstream, 'openai', scene.answer),
      start: (probe) => startPeer({ ...world, peer, runtime: runtime() ?? '', probe }),
    })
  },
})

const litellmLane: Lane = {
  name: 'litellm',
  title: 'LiteLLM',
  missing: async (world) => {
    const litellm = await world.litellm()
    return 'reason' in litellm ? litellm.reason : undefined
  },
  open: async (world, scene, isOwn = false) => {
    const litellm = await world.litellm()
    if ('reason' in litellm) throw new Error(`LiteLLM ${litellm.reason}`)
    return openWith(world, scene, isOwn, {
      program: 'litellm',
      wire: 'openai',
      headers: {},
      start: (probe) => startLiteLLM({ ...world, litellm, answer: scene.answer, probe }),
    })
  },
}

const upstreamLane: Lane = {
  name: 'upstream',
  title: 'the upstream itself',
  open: async ({ upstream }, scene) => ({
    request: requestOf(upstream.url('openai', scene.answer), {}, chatQuestion('openai', scene)),
    wire: 'openai',
  }),
}

/** Every lane. */
export const LANES = [
  upstreamLane,
  floorLane('floor', 'bare proxy', 'floor.ts'),
  floorLane('floor-json', 'bare proxy that parses and writes JSON', 'floor-json.ts'),
  plainLane('bare', 'Weir, key alone', 'openai'),
  governedLane('governed', 'Weir, governed', CONFIGS.governed),
  governedLane('cached', 'Weir, governed, answer from the cache', CONFIGS.cached),
  plainLane('transformed', 'Weir, key alone, Anthropic for an OpenAI client', 'anthropic'),
  plainLane('responses', 'Weir, key alone, Responses handed through', 'responses', dialectQuestion('responses')),
  plainLane('messages', 'Weir, key alone, OpenAI for a client of Anthropic', 'openai', dialectQuestion('messages')),
  plainLane('prompt', 'Weir, key alone, run of a stored prompt', 'openai', promptQuestion),
  peerLane('peer-node', 'peer on Node', () => Bun.which('node')),
  peerLane('peer-bun', 'peer on Bun', () => process.execPath),
  litellmLane,
] as const satisfies readonly Lane[]

export const laneTitle = (name: string): string => LANES.find((lane) => lane.name === name)?.title ?? name
