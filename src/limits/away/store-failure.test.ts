import { expect, test } from 'bun:test'
import { CONNECTION_LOST, NOT_CONNECTED, replyError } from '../test-support/scripted-store.ts'
import { hasChangedNothing, reasonOf } from './store-failure.ts'

test.each([
  ['READONLY', replyError("READONLY You can't write against a read only replica. script: 1, on @user_script:9."), true],
  ['OOM', replyError("OOM command not allowed when used memory > 'maxmemory'."), true],
  ['LOADING', replyError('LOADING Redis is loading the dataset in memory'), true],
  ['error reply', replyError('wrong'), true],
  ['not connected', NOT_CONNECTED, true],
  ['not connected', new Error("Cluster isn't ready and enableOfflineQueue options is false"), true],
  ['not connected', new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:1'), true],
  ['connection lost', CONNECTION_LOST, false],
  ['no reply', new Error('Command timed out'), false],
  ['no reply', undefined, false],
])('%s', (reason, error, changedNothing) => {
  expect(reasonOf(error)).toBe(reason)
  expect(hasChangedNothing(error)).toBe(changedNothing)
})
