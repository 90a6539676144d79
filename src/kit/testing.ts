/**
 * What tests of plugins import as `#kit/testing`: the conformance kit and the tools it is made of. Needs `bun:test` and
 * the dev dependency `fast-check`; nothing that runs in production imports it.
 */
export { accumulate } from '../calls/accumulate.ts'
export { type ConformOptions, conform } from './testing/conform.ts'
export { type CheckSample, conformCheck } from './testing/conform-check.ts'
export { deepFreeze } from './testing/deep-freeze.ts'
export { conformExchanges } from './testing/exchanges.ts'
export {
  FAKE_MONOTONIC_MS,
  FAKE_NOW_MS,
  type FakeHost,
  type FakeLogLine,
  fakeHost,
} from './testing/fake-host.ts'
export type { Fixture } from './testing/fixture.ts'
export { decodeStream, runMachine, type StreamRun } from './testing/stream.ts'
export {
  CONFORM_CALL_ID,
  CONFORM_CREATED,
  CONFORM_KEY,
  CONFORM_OUTGOING,
  contextOf,
  requestOf,
  setUp,
} from './testing/subject.ts'
