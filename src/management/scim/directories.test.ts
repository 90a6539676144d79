import { beforeAll, expect, test } from 'bun:test'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { SCIM_JSON } from './errors.ts'
import entraId from './fixtures/entra-id.json'
import okta from './fixtures/okta.json'
import { type ScimScene, setScimScene } from './test-support.ts'

/** What a directory sends, and what it looks for in the answer. */
interface Exchange {
  readonly title: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly answer?: object
  /** The id of what is made stands for this name from then on. */
  readonly keeps?: string
}

describeOnBothStores('what directories send', (store) => {
  let scene: ScimScene
  beforeAll(async () => {
    scene = await setScimScene(store())
  }, SLOW_START_MS)

  test.each([
    ['Entra ID', entraId.exchanges as readonly Exchange[]],
    ['Okta', okta.exchanges as readonly Exchange[]],
  ])('%s', async (_, exchanges) => {
    const ids = new Map<string, string>()
    const fill = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll(/\{(user|group)\}/g, (_text, name) => ids.get(name) ?? 'none'))
    for (const { title, method, path, body, status, answer, keeps } of exchanges) {
      const told = await scene.send(method as 'GET', fill(path), body === undefined ? undefined : fill(body))
      if (keeps !== undefined) ids.set(keeps, String(told.body.id))
      expect({ title, status: told.status, body: told.body }).toMatchObject({ title, status, body: fill(answer ?? {}) })
      expect(told.headers.get('content-type')).toBe(status === 204 ? null : SCIM_JSON)
    }
  })
})
