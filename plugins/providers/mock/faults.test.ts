import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FaultName, MOCK_FAULTS } from './faults.ts'
import { type MockServer, startMockServer } from './server.ts'
import { errorOf, faultKit, type Proof } from './test-support/fault-kit.ts'
import { ANSWERS } from './test-support/prove-answers.ts'
import { STREAMS } from './test-support/prove-streams.ts'
import { TRANSPORT } from './test-support/prove-transport.ts'

/** What proves each fault; a fault without a proof does not compile. */
const PROOFS: Readonly<Record<FaultName, Proof>> = { ...ANSWERS, ...STREAMS, ...TRANSPORT }

let server: MockServer
beforeAll(async () => {
  server = await startMockServer()
})
afterAll(() => server.close())

describe('every fault is what it says', () => {
  for (const [name, prove] of Object.entries(PROOFS)) test(name, () => prove(faultKit(server)))

  test('the table describes each', () => {
    expect(Object.keys(MOCK_FAULTS).toSorted()).toEqual(Object.keys(PROOFS).toSorted())
    for (const row of Object.values(MOCK_FAULTS)) {
      expect(row.failureClass).toMatch(/^F([1-9]|[12]\d|3[0-2])$/)
      expect(row.description).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('a fault is refused where it cannot show', async () => {
    for (const [name, { scope }] of Object.entries(MOCK_FAULTS)) {
      if (scope !== 'stream') continue
      const answer = await faultKit(server).call(name as FaultName, false)
      expect([answer.status, errorOf(answer).param]).toEqual([400, 'stream'])
    }
  })
})
