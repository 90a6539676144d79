import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inviteMember } from '../management/support/people.ts'
import { ADMIN_KEY, API_KEY, SLOW_MS } from '../management/support/scene.ts'
import { type CounterpartScene, openCounterpartScene, STORED_KEY } from './support/counterpart.ts'
import { nativeAnswers } from './support/native-provider.ts'
import { pythonSuite } from './support/python.ts'

let opened: CounterpartScene
let memberId: string
beforeAll(async () => {
  opened = await openCounterpartScene({ answer: nativeAnswers(STORED_KEY) })
  memberId = (await inviteMember(opened.gateway, 'member@ours.example')).id
}, SLOW_MS)
afterAll(() => opened.close())

const environment = () => ({
  WEIR_URL: opened.gateway.url,
  WEIR_KEY: API_KEY,
  WEIR_ADMIN_KEY: ADMIN_KEY,
  PROVIDER_URL: `${opened.scene.upstream.url}/v1`,
  PROVIDER_KEY: STORED_KEY,
  WEIR_MEMBER: memberId,
})

pythonSuite('counterpart_calls', environment)
pythonSuite('counterpart_prompts', environment)
pythonSuite('counterpart_admin', environment)

test('neither its placeholder of a key nor its own headers have reached the provider', () => {
  const { requests } = opened.scene.upstream
  expect(requests.length).toBeGreaterThan(15)
  for (const { path, rawHeaders } of requests) {
    expect([path, ...rawHeaders].join('\n')).not.toMatch(/OPENAI_API_KEY|x-portkey-/i)
    expect(rawHeaders.join('\n')).not.toContain(API_KEY)
  }
})
