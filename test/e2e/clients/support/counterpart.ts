import { Portkey } from 'portkey-ai'
import { Portkey as Portkey2023 } from 'portkey-ai-old'
import { WORKSPACE_SERVICE_SCOPES } from '../../../../src/store/scopes.ts'
import type { RunningGateway } from '../../../support/command.ts'
import { eventually } from '../../../support/start-process.ts'
import { hasStatus, within } from '../../management/support/http.ts'
import {
  API_KEY,
  chatWith,
  done,
  openScene,
  type Scene,
  type SceneOptions,
  SPREAD_MS,
  storeProvider,
} from '../../management/support/scene.ts'

/** Key of the stored provider `prod`, which goes to the recording provider of the scene. */
export const STORED_KEY = 'sk-stored-0123456789abcdef0123456789'

export interface CounterpartScene {
  readonly scene: Scene
  readonly gateway: RunningGateway
  close(): Promise<void>
}

/** A key of the counterpart's users may do all that there is to do in its workspace. */
const widenKey = async (gateway: RunningGateway): Promise<void> => {
  const { body } = await done(gateway, 'GET', '/v2/api-keys?workspace_id=ws-default')
  const [key] = body.data as readonly { readonly id: string }[]
  await done(gateway, 'PUT', `/v2/api-keys/${key?.id}`, { scopes: WORKSPACE_SERVICE_SCOPES })
}

/** A gateway whose operator reads the headers of the counterpart's clients as its own, with a stored provider. */
export const openCounterpartScene = async (options: Pick<SceneOptions, 'answer'> = {}): Promise<CounterpartScene> => {
  const scene = await openScene({ store: 'pglite', ...options })
  const gateway = await scene.start({ WEIR_HEADER_PREFIXES: 'x-portkey-' })
  await widenKey(gateway)
  await storeProvider(scene, gateway, { slug: 'prod', key: STORED_KEY })
  await within(SPREAD_MS, () => chatWith(gateway, 'prod'), hasStatus(200))
  return { scene, gateway, close: () => scene.close() }
}

type Options2026 = ConstructorParameters<typeof Portkey>[0]
type Options2023 = ConstructorParameters<typeof Portkey2023>[0]

/** The current client. A new one for each call: what a call says stays with the client. */
export const clientOfToday = ({ url }: Pick<RunningGateway, 'url'>, options: Options2026 = {}): Portkey =>
  new Portkey({ apiKey: API_KEY, baseURL: `${url}/v1`, ...options })

/** The client of 2023. Its base URL has no version. */
export const clientOf2023 = ({ url }: Pick<RunningGateway, 'url'>, options: Options2023): Portkey2023 =>
  new Portkey2023({ apiKey: API_KEY, baseURL: url, ...options })

/** What the gateway says about an answer, by the names of the client. @throws Error when the client kept none */
export const headersOf = (answer: object): Readonly<Record<string, string>> => {
  if (!('getHeaders' in answer) || typeof answer.getHeaders !== 'function')
    throw new Error('the client kept no headers')
  return answer.getHeaders()
}

/**
 * The answer that fits, once what was just stored has reached the calls, which takes up to a second.
 * @throws whatever the last call failed with, or Error with its answer
 */
export const soon = async <Answer>(
  call: () => PromiseLike<Answer>,
  fits: (answer: Answer) => boolean = () => true,
): Promise<Answer> => {
  let last: { readonly answer: Answer } | { readonly thrown: unknown } | undefined
  await eventually(async () => {
    last = await call().then(
      (answer) => ({ answer }),
      (thrown: unknown) => ({ thrown }),
    )
    return 'answer' in last && fits(last.answer)
  }, 5 * SPREAD_MS)
  if (last === undefined || 'thrown' in last) throw last?.thrown
  if (!fits(last.answer)) throw new Error(`the last answer was ${JSON.stringify(last.answer)}`)
  return last.answer
}

/** The log of calls so far. */
export const callRecords = (gateway: Pick<RunningGateway, 'stdout'>): readonly Readonly<Record<string, unknown>>[] =>
  gateway
    .stdout()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{"time"'))
    .map((line): Record<string, unknown> => JSON.parse(line))

/** The records that fit, once there are as many. @throws Error with the log when there never are */
export const recordsOf = async (
  gateway: Pick<RunningGateway, 'stdout'>,
  count: number,
  fits: (record: Readonly<Record<string, unknown>>) => boolean,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const found = (): readonly Readonly<Record<string, unknown>>[] => callRecords(gateway).filter(fits)
  if (!(await eventually(async () => found().length >= count, 5_000))) {
    throw new Error(`there are no ${count} such records in:\n${gateway.stdout()}`)
  }
  return found()
}
