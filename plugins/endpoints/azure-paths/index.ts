import { splitModel } from '#calls/config/model-name'
import { restOfPath } from '#calls/pass-through/pass-through'
import { type Call, definePlugin, InvalidRequest, NotFound, type Stage, t } from '#kit'
import { type GatewayHeaders, gatewayHeaders } from '#kit/slots'

const ROUTE = '/openai/deployments/*'

/** What Weir offers of the operations that clients of Azure put behind a deployment (openai 6.10, azure.ts, read 2026-11-22). */
const ENDPOINTS: ReadonlyMap<string, string> = new Map([
  ['/chat/completions', 'chat'],
  ['/completions', 'completions'],
  ['/embeddings', 'embeddings'],
])

/**
 * The paths of clients made for Azure (`AzureOpenAI` with Weir as its endpoint), where the deployment stands in the path: it
 * is the model of the call, whatever the body says, and says who is asked when it is written as `@provider/model`.
 */
export default definePlugin({
  name: 'azure-paths',
  config: t.Object({}),
  needs: ['endpoints'],
  setup(_config, { endpoints }) {
    const stage: Stage = {
      name: 'azure-paths',
      run(call, next) {
        const { deployment, endpoint } = readDeployment(restOfPath(call))
        if (call.endpoint.id !== endpoint) call.become(endpoints.get(endpoint))
        if (call.params.model !== deployment) call.replaceParams({ ...call.params, model: deployment })
        call.set(gatewayHeaders, withPlace(call, splitModel(deployment)?.model ?? deployment))
        return next()
      },
    }
    return { routes: [{ method: 'POST', path: ROUTE, endpoint: 'chat', stages: [stage] }] }
  },
})

/** @throws NotFound for an operation that has another address here */
const readDeployment = (rest: string): { readonly deployment: string; readonly endpoint: string } => {
  for (const [operation, endpoint] of ENDPOINTS) {
    // Some clients write a slash in the name as it is.
    const name = rest.endsWith(operation) ? rest.slice(1, -operation.length) : ''
    if (name !== '') return { deployment: decoded(name), endpoint }
  }
  const [, operation = ''] = /^\/[^/]+(\/.+)$/.exec(rest) ?? []
  throw new NotFound(
    `Not Found: behind a deployment there are ${[...ENDPOINTS.keys()].join(', ')}; use \`/v1${operation}\`.`,
  )
}

/** @throws InvalidRequest */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    throw new InvalidRequest('The deployment in the path is not UTF-8.', { param: 'deployment' })
  }
}

/** Where the call goes to Azure itself, path and query say what headers say elsewhere. */
const withPlace = (call: Call, deployment: string): GatewayHeaders => {
  const headers = call.get(gatewayHeaders)
  const version = call.request.query.get('api-version') ?? undefined
  const get = (name: string): string | undefined => {
    const given = headers.get(name)
    if (given !== undefined) return given
    if (name === 'azure-deployment-id') return deployment
    return name === 'azure-api-version' ? version : undefined
  }
  return { get, aliasPrefix: () => headers.aliasPrefix(), owns: (name) => headers.owns(name) }
}
