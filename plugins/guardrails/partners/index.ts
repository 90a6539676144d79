import { definePlugin, t } from '#kit'
import { createAwsAccess } from '#kit/aws'
import { scan } from './acuvity.ts'
import { validateProject } from './aporia.ts'
import { azureAccount } from './azure.ts'
import { contentSafety } from './azure-content-safety.ts'
import { azurePii } from './azure-pii.ts'
import { bedrockGuard } from './bedrock.ts'
import { classify } from './lasso.ts'
import { mistralModeration, openaiModeration } from './moderation.ts'
import { intercept, panwAccount } from './panw.ts'
import { whereSaid } from './partner.ts'
import { patronus } from './patronus.ts'
import { scanPrompt, scanResponse } from './pillar.ts'
import { guard, harm, pii } from './promptfoo.ts'
import { sydeguard } from './sydelabs.ts'

/** Checks that services of others do, each with an account of the workspace. */
export default definePlugin({
  name: 'partner-checks',
  config: t.Object({}),
  needs: ['clock', 'log', 'logins', 'randomId'],
  setup(_, host) {
    // Its calls are signed with what is stored: nothing of the operator's is for them.
    const access = createAwsAccess({ provider: 'bedrock', service: 'bedrock', config: {}, host, takesApiKeys: true })
    return {
      checks: [
        bedrockGuard(access),
        contentSafety,
        azurePii,
        mistralModeration,
        openaiModeration,
        intercept,
        classify,
        scanPrompt,
        scanResponse,
        ...patronus,
        validateProject,
        scan,
        guard,
        pii,
        harm,
        sydeguard,
      ].map(whereSaid),
      accounts: [
        azureAccount,
        panwAccount,
        { id: 'acuvity' },
        { id: 'aporia' },
        { id: 'lasso' },
        { id: 'patronus' },
        { id: 'pillar' },
        { id: 'promptfoo' },
        { id: 'sydelabs' },
      ],
    }
  },
})
