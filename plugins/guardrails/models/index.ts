import { definePlugin, t } from '#kit'
import { judge } from './judge.ts'
import { moderateContent } from './moderate-content.ts'
import { promptInjection } from './prompt-injection.ts'

/** The checks that ask models of the workspace. */
export default definePlugin({
  name: 'model-checks',
  config: t.Object({}),
  needs: ['randomId'],
  setup: (_config, host) => ({ checks: [moderateContent, promptInjection(host), judge(host)] }),
})
