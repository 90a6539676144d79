import { rotateDueKey } from '../../../src/management/api-keys/rotation.ts'
import { namePath } from '../../../src/management/mount.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { addPerson } from '../../../src/management/test-support/add-person.ts'
import { createUser } from '../../../src/people/users.ts'
import { apiKeyRows } from '../../../src/store/objects/api-keys.ts'
import { logExportRows } from '../../../src/store/objects/log-exports.ts'
import { newId } from '../../../src/store/objects/rows.ts'
import { mcpConnections } from '../../../src/store/schema/mcp.ts'
import { LISTED_MODEL, nameOf, secretBoxUnderTest } from './routes-under-test.ts'
import { addSession, SCOPES_OF_KIND } from './tenants.ts'
import type { World } from './world.ts'

/** A call of a route that works, made with the key of `keyFor`. */
export interface Sample {
  /** Values of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Makes what the call needs, through the interface itself, and describes the call. */
type MakeSample = (world: World) => Sample | Promise<Sample>

/** @throws Error for a route without a sample: whoever adds a route adds one here, and so gets every test. */
export const sampleOf = async (route: AnyRoute, world: World): Promise<Sample> => {
  const make = SAMPLES[nameOf(route)]
  if (make === undefined) throw new Error(`test/conformance/management/samples.ts has no sample of ${nameOf(route)}`)
  return make(world)
}

/**
 * The samples of all these routes, made before any is used: a walk of calls that must change nothing compares the tables
 * once, instead of once for each route.
 */
export const samplesOf = async (
  routes: readonly AnyRoute[],
  world: World,
): Promise<readonly (readonly [AnyRoute, Sample])[]> => {
  const samples: [AnyRoute, Sample][] = []
  for (const route of routes) samples.push([route, await sampleOf(route, world)])
  return samples
}

/** The key that calls a route: that of the organisation, or of its first workspace where no other can have the scope. */
export const keyFor = ({ scopes }: Pick<AnyRoute, 'scopes'>, { ours }: Pick<World, 'ours'>): string =>
  scopes.length === 0 || scopes.some((scope) => SCOPES_OF_KIND['organisation-service'].includes(scope))
    ? ours.admin
    : ours.first.serviceKey

/** Whether a route is of a protocol of others: it reads bodies and queries in its own way, and passes over what it does not know. */
export const isOfProtocol = ({ errors }: Pick<AnyRoute, 'errors'>): boolean => errors?.mediaType !== undefined

/** Parameters of paths that are words of the client: they name no object, so that every one of them finds something. */
export const FREE_PARAMETERS: ReadonlySet<string> = new Set(['metadataKey'])

/** Parameters that name what is not kept here yet, so that nobody can tell whose it is. */
export const UNCHECKED_PARAMETERS: ReadonlySet<string> = new Set(['mcpServerId'])

/** What a call of a route is told about an object that is not there: the interface hides some. */
export const missingFrom = ({ path }: Pick<AnyRoute, 'path'>): 'management_forbidden' | 'management_not_found' =>
  path === '/guardrails/:guardrailId' ? 'management_forbidden' : 'management_not_found'

/** The path of a route, filled in, with the query. */
export const fillPath = (route: Pick<AnyRoute, 'path' | 'roots'>, { params = {}, query = {} }: Sample): string => {
  const path = namePath(route)
  const filled = path.replaceAll(/:([a-zA-Z_]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the sample of ${path} has no ${name}`)
    return encodeURIComponent(value)
  })
  // The rest of a path stands for what the last parameter does.
  const whole = filled.replace(/\*$/, () => encodeURIComponent(Object.values(params).at(-1) ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? whole : `${whole}?${search}`
}

let counter = 0
/** A name that no other sample has. */
const fresh = (stem: string): string => `${stem}-${++counter}`
/** From here on names are given again as in a process that has given none: for what compares them. */
export const nameAnew = (): void => {
  counter = 0
}

const post = async (world: World, path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await world.call({ method: 'POST', path, token: world.ours.admin, body })
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body
}

const put = async (world: World, path: string, body: unknown): Promise<void> => {
  const answer = await world.call({ method: 'PUT', path, token: world.ours.admin, body })
  if (answer.status !== 200) throw new Error(`PUT ${path} answered ${answer.status}: ${answer.text}`)
}

const deploymentBody = (world: World) => ({
  name: fresh('deployment'),
  slug: fresh('deployment'),
  type: 'non_production',
  deployment_config: { region: 'eu' },
  is_default: false,
  auth_settings: {
    gateway_base_url: 'https://weir.example.com/v1',
    mcp_gateway_base_url: 'https://mcp.example.com',
    is_dataservice_hosted: 0,
    is_playground_proxy_allowed: 1,
    workspaces_allowed: [world.ours.second.slug],
    jwt_subs_allowed: ['somebody'],
    jwt_sub_workspace_mapping: { somebody: world.ours.second.slug },
  },
  tags: { region: 'eu', size: 3 },
})

const scimUserBody = () => {
  const name = fresh('person')
  return { userName: name, name: { givenName: 'Made' }, emails: [{ value: `${name}@ours.example` }], active: true }
}

const scimUser = async (world: World) => ({
  params: { id: String((await post(world, '/scim/v2/Users', scimUserBody())).id) },
})

const scimGroup = async (world: World) => ({
  params: { id: String((await post(world, '/scim/v2/Groups', { displayName: fresh('group') })).id) },
})

const scimMappingBody = (world: World) => ({
  workspace_id: world.ours.second.slug,
  role: 'member',
  scim_group_name: fresh('group'),
})

const patchOf = (path: string, value: unknown) => ({ Operations: [{ op: 'replace', path, value }] })

const deployment = async (world: World) => ({
  params: { deploymentId: String((await post(world, '/deployments', deploymentBody(world))).id) },
})

const exportBody = () => ({
  description: 'made by a test',
  filters: { is_success: true, metadata: '{"team":"blue"}', page_size: 10 },
  requested_data: ['id', 'cost', 'request'],
  format: 'csv',
})

const webhookBody = () => ({
  url: 'https://hooks.example.com/weir',
  name: 'made by a test',
  kinds: ['budget.exhausted', 'test'],
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
  is_enabled: false,
})

const webhook = async (world: World) => ({
  params: { webhookId: String((await post(world, '/alerts/webhooks', webhookBody())).id) },
})

const logExport = async (world: World) => ({
  params: { exportId: String((await post(world, '/logs/exports', exportBody())).id) },
})

const startedExport = async (world: World) => {
  const sample = await logExport(world)
  await post(world, `/logs/exports/${sample.params.exportId}/start`, {})
  return sample
}

/** One whose file is there, and empty. */
const writtenExport = async (world: World) => {
  const sample = await startedExport(world)
  const id = sample.params.exportId
  await logExportRows.update(world.db, { id, status: 'success', endedAt: new Date() })
  return sample
}

const logSettings = () => ({
  bodies: 'failed',
  retention_days: 20,
  body_retention_days: 10,
  redact: ['\\b\\d{3}-\\d{2}-\\d{4}\\b'],
  metadata_keys: ['team'],
  body_readers: 'workspace',
})

const workspaceBody = () => ({
  logs: logSettings(),
  name: fresh('workspace'),
  description: 'made by a test',
  defaults: { metadata: { team: 'blue' } },
  usage_limits: [{ type: 'cost', credit_limit: 10 }],
  rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
  user_api_key_config: { enabled: true, scopes: ['completions.write'] },
})

/** Somebody of our organisation. */
const person = async ({ db, ours }: World, workspaces: readonly string[] = []) => ({
  params: {
    userId: await addPerson(db, {
      organisationId: ours.organisationId,
      email: `${fresh('user')}@example.com`,
      workspaces,
    }),
  },
})

const member = async (world: World) => {
  const { id } = world.ours.first
  return { params: { ...(await person(world, [id])).params, workspace: id } }
}

const inviteBody = ({ ours }: World) => ({
  email: `${fresh('invited')}@example.com`,
  role: 'member',
  workspaces: [{ id: ours.second.slug, role: 'member' }],
  workspace_api_key_details: {
    scopes: ['completions.write'],
    name: 'made by a test',
    expiry: '2090-01-01T00:00:00Z',
    metadata: { team: 'blue' },
  },
})

const invite = async (world: World) => {
  const { id, invite_link: link } = await post(world, '/users/invites', inviteBody(world))
  return { params: { inviteId: String(id) }, token: new URL(String(link)).searchParams.get('invite') ?? '' }
}

const configBody = () => ({
  name: fresh('config'),
  config: {
    strategy: { mode: 'fallback' },
    retry: { attempts: 2 },
    targets: [{ provider: 'openai', api_key: 'sk-of-the-sample-0123456789' }, { virtual_key: 'any' }],
  },
})

/** A config of the workspace of that id. */
const config = async (world: World, workspaceId = world.ours.first.id) => ({
  params: { slug: String((await post(world, '/configs', { ...configBody(), workspace_id: workspaceId })).slug) },
})

const keySettings = () => ({
  name: fresh('key'),
  description: 'made by a test',
  scopes: ['logs.view', 'configs.read'],
  rate_limits: [{ type: 'tokens', unit: 'rps', value: 5 }],
  usage_limits: { type: 'tokens', credit_limit: 1000 },
  defaults: { metadata: { team: 'blue' }, allow_config_override: false },
  alert_emails: ['somebody@example.com'],
  expires_at: '2090-01-01T00:00:00Z',
  rotation_policy: { rotation_period: 'monthly' },
})

const integrationBody = () => ({
  name: fresh('integration'),
  ai_provider_id: 'openai',
  key: 'sk-of-the-sample-0123456789',
  description: 'made by a test',
  configurations: { openai_organization: 'org-1' },
  pricing_adjustments: { multiplier: { default: 0.8 } },
})

const virtualKeyBody = () => ({
  name: fresh('virtual key'),
  provider: 'openai',
  key: 'sk-of-the-sample-0123456789',
  note: 'made by a test',
  usage_limits: { type: 'cost', credit_limit: 10 },
  rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
  expires_at: '2090-01-01T00:00:00Z',
})

const workspace = async (world: World) => {
  const body = workspaceBody()
  const { slug } = await post(world, '/workspaces', body)
  return { name: body.name, params: { workspace: String(slug) } }
}

const key = async (world: World) => ({
  params: { id: String((await post(world, '/api-keys/service', keySettings())).id) },
})

/** One that has rotated by itself just now. */
export const rotatedKey = async (world: World) => {
  const { params } = await key(world)
  const { organisationId } = world.ours
  const secretBox = await secretBoxUnderTest(world.db)
  await secretBox.derive(organisationId, 'a sample')
  await world.db.transaction(async (transaction) => {
    const record = await apiKeyRows.find(transaction, { organisationId, reference: params.id })
    if (record === undefined) throw new Error('the key of the sample is gone')
    await rotateDueKey(transaction, record, { at: new Date(), secretBox })
  })
  return { params }
}

const secretReferenceBody = () => ({
  name: fresh('secret'),
  description: 'made by a test',
  manager_type: 'hashicorp_vault',
  auth_config: {
    vault_auth_type: 'approle',
    vault_addr: 'https://vault.example.com:8200',
    vault_role_id: 'role-of-the-sample',
    vault_secret_id: 'secret-id-of-the-sample-0123456789',
    vault_namespace: 'team/blue',
  },
  secret_path: 'secret/openai',
  secret_key: 'api_key',
  tags: { team: 'blue' },
})

const secretReference = async (world: World) => ({
  params: { secretReferenceId: String((await post(world, '/secret-references', secretReferenceBody())).slug) },
})

const integration = async (world: World, changes: Readonly<Record<string, unknown>> = {}) => ({
  params: { slug: String((await post(world, '/integrations', { ...integrationBody(), ...changes })).slug) },
})

const mcpIntegrationBody = () => ({
  name: fresh('tools'),
  url: 'https://tools.example.com/mcp',
  auth_type: 'headers',
  transport: 'http',
  description: 'made by a test',
  configurations: {
    headers: { authorization: 'Bearer a secret of a test' },
    forward_headers: ['x-request-id', { from: 'x-tenant', to: 'x-customer' }],
    user_identity_forwarding: { method: 'claims_header', include_claims: ['sub'] },
  },
})

/** One that every workspace may use, and that was asked what it offers. */
const mcpIntegration = async (world: World) => {
  const slug = String((await post(world, '/mcp-integrations', mcpIntegrationBody())).slug)
  await put(world, `/mcp-integrations/${slug}/workspaces`, mcpGrantsBody())
  await post(world, `/mcp-integrations/${slug}/sync`, undefined)
  return { params: { integration: slug } }
}

const mcpGrantsBody = () => ({ workspaces: [], global_workspace_access: { enabled: true } })

const mcpServer = async (world: World) => {
  const { params } = await mcpIntegration(world)
  const body = { name: fresh('server'), mcp_integration_id: params.integration }
  return { params: { server: String((await post(world, '/mcp-servers', body)).slug) } }
}

/** A person in the default workspace. */
const mcpUser = (world: World): Promise<string> =>
  world.db.transaction(async (transaction) => {
    const { organisationId } = world.ours
    const email = `${fresh('person')}@example.com`
    return (await createUser(transaction, { organisationId, email, role: 'owner', source: 'invite' })).id
  })

/** A server where a user has agreed to something. */
const mcpConnection = async (world: World) => {
  const { params } = await mcpServer(world)
  const { id } = (await world.call({ method: 'GET', path: `/mcp-servers/${params.server}`, token: world.ours.admin }))
    .body
  const userId = await mcpUser(world)
  await world.db.insert(mcpConnections).values({ id: newId(), serverId: String(id), userId, sealed: 'sealed' })
  return { params, query: { user_id: userId } }
}

const mcpCapabilitiesBody = { capabilities: [{ name: 'echo', type: 'tool', enabled: false }] }

/** A provider of an integration of its own, in the default workspace. */
const provider = async (world: World) => {
  const { params } = await integration(world, { workspace_id: world.ours.first.id, create_default_provider: false })
  const body = { name: fresh('provider'), integration_id: params.slug }
  return { integration: params.slug, params: { slug: String((await post(world, '/providers', body)).slug) } }
}

const virtualKey = async (world: World) => {
  const { data } = await post(world, '/virtual-keys', virtualKeyBody())
  return { params: { slug: String((data as { slug: unknown }).slug) } }
}

const customModel = { slug: 'own/model', enabled: true, is_custom: true, base_model_slug: LISTED_MODEL }

/** An integration with a custom model, used by a provider. */
const model = async (world: World) => {
  const made = await provider(world)
  await put(world, `/integrations/${made.integration}/models`, { models: [customModel] })
  return { integration: made.integration, params: { model: `@${made.params.slug}/${customModel.slug}` } }
}

const modelsBody = {
  models: [
    {
      ...customModel,
      is_finetune: false,
      configurations: { custom_host: 'https://models.example', custom_headers: { 'x-team': 'blue' } },
      pricing_config: {
        type: 'static',
        pay_as_you_go: { request_token: { price: 0.1 }, response_token: { price: 0.2 } },
      },
    },
  ],
  allow_all_models: false,
}

const grantsBody = (world: World) => ({
  workspaces: [
    {
      id: world.ours.second.slug,
      enabled: true,
      usage_limits: [{ type: 'cost', credit_limit: 10 }],
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
      reset_usage: true,
    },
  ],
  global_workspace_access: { enabled: false },
  override_existing_workspace_access: true,
  create_default_provider: false,
})

const policyBody = () => ({
  name: fresh('policy'),
  description: 'made by a test',
  conditions: [
    { key: 'api_key', value: '*' },
    { key: 'metadata.team', value: ['blue', 'red'], excludes: 'green' },
  ],
  group_by: [{ key: 'api_key' }, { key: 'metadata.team' }],
  type: 'tokens',
  unit: 'rpm',
  value: 1000,
  target: 'llm',
  on_store_failure: 'closed',
  reservation: 'max',
  mode: 'shadow',
})

const policy = async (world: World) => ({
  params: { rateLimitsPolicyId: String((await post(world, '/policies/rate-limits', policyBody())).id) },
})

const usagePolicyBody = () => ({
  name: fresh('policy'),
  description: 'made by a test',
  conditions: [
    { key: 'api_key', value: '*' },
    { key: 'metadata.team', value: ['blue', 'red'], excludes: 'green' },
  ],
  group_by: [{ key: 'api_key' }, { key: 'metadata.team' }],
  type: 'cost',
  credit_limit: 12.5,
  alert_threshold: 10,
  periodic_reset: 'weekly',
  next_usage_reset_at: '2090-01-01T12:00:00Z',
  enforcement: 'reserve',
  on_unknown_price: 'refuse',
  mode: 'shadow',
})

const usagePolicy = async (world: World) => ({
  params: { policyUsageLimitsId: String((await post(world, '/policies/usage-limits', usagePolicyBody())).id) },
})

/** A group of calls that the policy has counted. */
const usageEntity = async (world: World) => {
  const { policyUsageLimitsId } = (await usagePolicy(world)).params
  const path = `/policies/usage-limits/${policyUsageLimitsId}/entities`
  const { body } = await world.call({ method: 'GET', path, token: world.ours.admin })
  const [entity] = body.data as readonly { readonly id: string; readonly value_key: string }[]
  if (entity === undefined) throw new Error('the policy has counted nothing')
  return { entity, params: { policyUsageLimitsId, entityId: entity.id } }
}

const evaluationBody = async (world: World) => ({
  workspace_id: world.ours.first.slug,
  api_key_id: (await key(world)).params.id,
  headers: { 'x-gateway-provider': 'openai' },
  body: { model: LISTED_MODEL, messages: [{ role: 'user', content: 'Hello' }] },
  endpoint: 'chat',
})

const collection = async (world: World) => ({
  params: { collectionId: String((await post(world, '/collections', { name: fresh('collection') })).slug) },
})

const partialBody = () => ({
  name: fresh('partial'),
  string: 'Answer {{#formal}}formally{{/formal}}{{^formal}}as you like{{/formal}}, {{name}}.',
  version_description: 'made by a test',
})

const partial = async (world: World) => ({
  params: { partialId: String((await post(world, '/prompts/partials', partialBody())).slug) },
})

const promptBody = () => ({
  name: fresh('prompt'),
  string: JSON.stringify([{ role: 'user', content: 'Tell {{name}} about {{topic}}.' }]),
  parameters: { temperature: 0.5, max_tokens: 100, stream: true },
  model: LISTED_MODEL,
  functions: [{ name: 'look_up', parameters: { type: 'object', properties: {} } }],
  tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
  tool_choice: 'auto',
  version_description: 'made by a test',
  template_metadata: { editor: 'test' },
  is_raw_template: 0,
  variables_schema: { type: 'object', properties: { name: { type: 'string' } } },
  strict: true,
})

const prompt = async (world: World) => {
  const { slug, version_id: version } = await post(world, '/prompts', promptBody())
  return { params: { promptId: String(slug) }, version: { promptId: String(slug), versionId: String(version) } }
}

const labelBody = () => ({ name: fresh('label'), description: 'made by a test', color_code: '#3f9a1c' })

const label = async (world: World) => ({
  params: { labelId: String((await post(world, '/labels', labelBody())).id) },
})

/** The hour that has just begun: records are asked for by the time. */
const thisHour = () => ({
  query: {
    time_of_generation_min: new Date(Date.now() - 600_000).toISOString(),
    time_of_generation_max: new Date(Date.now() + 600_000).toISOString(),
  },
})

/** Paths of analytics without parameters, below `/analytics/`. */
export const ANALYTICS = [
  'graphs/requests',
  'graphs/cost',
  'graphs/latency',
  'graphs/tokens',
  'graphs/users',
  'graphs/users/requests',
  'graphs/errors',
  'graphs/errors/rate',
  'graphs/errors/stacks',
  'graphs/errors/status-codes',
  'graphs/requests/rescued',
  'graphs/cache/hit-rate',
  'graphs/cache/latency',
  'graphs/feedbacks',
  'graphs/feedbacks/scores',
  'graphs/feedbacks/weighted',
  'graphs/feedbacks/ai-models',
  'graphs/time-to-first-token',
  'graphs/tokens-per-second',
  'summary/cache',
  'groups/users',
  'groups/ai-models',
  'groups/provider',
  'groups/ai_service',
  'groups/model',
  'groups/status_code',
  'groups/api_key',
  'groups/config',
  'groups/workspace',
  'groups/prompt',
  'groups/virtual_key',
  'groups/model-performance',
]

const feedback = async (world: World) => {
  const call = { method: 'POST', path: '/feedback', token: world.ours.first.serviceKey } as const
  const { body } = await world.call({ ...call, body: { trace_id: fresh('trace'), value: 5 } })
  return { params: { id: String((body.feedback_ids as readonly string[])[0]) } }
}

const loggedCall = (traceId = fresh('trace')) => ({
  request: { url: 'https://api.example/v1/chat/completions', method: 'POST', headers: {}, body: { model: 'm' } },
  response: { status: 200, headers: {}, body: { id: 'an answer' }, response_time: 12.5 },
  metadata: { trace_id: traceId, team: 'blue' },
})

const loggedId = async (world: World): Promise<string> => {
  const traceId = fresh('trace')
  const token = world.ours.first.serviceKey
  await world.call({ method: 'POST', path: '/logs', token, body: loggedCall(traceId) })
  const { body } = await world.call({ method: 'GET', path: `/logs?trace_id=${traceId}`, token })
  const [row] = body.data as readonly { readonly id: string }[]
  return row?.id ?? 'none'
}

const guardrailBody = (target: 'llm' | 'mcp_tools' = 'llm') => ({
  name: fresh('guardrail'),
  target,
  checks: [
    { id: 'acme.noWords', parameters: { words: ['secret'], redact: true }, name: 'no secrets', is_enabled: true },
    { id: 'acme.evenNumber', parameters: { number: 2 }, is_enabled: false },
  ],
  actions: {
    deny: true,
    stream_mode: 'window',
    on_success: null,
    on_fail: { feedback: { value: -1, weight: 0.5, metadata: 'made by a test' } },
  },
})

const guardrail = async (world: World, root: string, target: 'llm' | 'mcp_tools' = 'llm') => ({
  params: { guardrailId: String((await post(world, `${root}/guardrails`, guardrailBody(target))).slug) },
})

const exclusionsBody = ({ ours }: World) => ({
  workspaces: [
    { workspace_id: ours.second.slug, excluded: true },
    { workspace_id: ours.first.id, excluded: false },
  ],
  override_existing: true,
})

const defaultsBody = async (world: World) => {
  const { guardrailId } = (await guardrail(world, '/admin/v2')).params
  return { input_guardrails: [guardrailId], output_guardrails: [] }
}

const guardrailSamples = (root: string): Readonly<Record<string, MakeSample>> => {
  const path = `${root}/guardrails`
  const item = `${path}/:guardrailId`
  const server = { run_on: ['input'], mcp_integration_capability_ids: [crypto.randomUUID()] }
  return {
    [`GET ${path}`]: none,
    [`POST ${path}`]: () => ({ body: guardrailBody() }),
    [`GET ${item}`]: (world) => guardrail(world, root),
    [`PUT ${item}`]: async (world) => {
      const { target, ...body } = guardrailBody()
      return { ...(await guardrail(world, root)), body: { ...body, status: 'active' } }
    },
    [`DELETE ${item}`]: (world) => guardrail(world, root),
    [`GET ${item}/mcp-servers`]: (world) => guardrail(world, root),
    [`PUT ${item}/mcp-servers`]: async (world) => ({
      ...(await guardrail(world, root, 'mcp_tools')),
      body: { mcp_servers: { [crypto.randomUUID()]: server, [crypto.randomUUID()]: {} } },
    }),
    [`POST ${item}/evaluate`]: async (world) => ({
      ...(await guardrail(world, root)),
      body: { text: 'a secret', stage: 'output' },
    }),
    [`PUT ${item}/mcp-servers/:mcpServerId`]: async (world) => ({
      params: { ...(await guardrail(world, root, 'mcp_tools')).params, mcpServerId: crypto.randomUUID() },
      body: server,
    }),
  }
}

const none = (): Sample => ({})

const SAMPLES: Readonly<Record<string, MakeSample>> = {
  'GET /organisation/settings': none,
  'PUT /organisation/settings': () => ({ body: { logs: logSettings() } }),
  'GET /scim/v2/ServiceProviderConfig': none,
  'GET /scim/v2/ResourceTypes': none,
  'GET /scim/v2/ResourceTypes/:id': () => ({ params: { id: 'User' } }),
  'GET /scim/v2/Schemas': none,
  'GET /scim/v2/Schemas/:id': () => ({ params: { id: 'urn:ietf:params:scim:schemas:core:2.0:Group' } }),
  'GET /scim/v2/Users': () => ({ query: { filter: 'active eq true', count: '10' } }),
  'POST /scim/v2/Users': () => ({ body: scimUserBody() }),
  'GET /scim/v2/Users/:id': scimUser,
  'PUT /scim/v2/Users/:id': async (world) => ({ ...(await scimUser(world)), body: scimUserBody() }),
  'PATCH /scim/v2/Users/:id': async (world) => ({ ...(await scimUser(world)), body: patchOf('active', false) }),
  'DELETE /scim/v2/Users/:id': scimUser,
  'GET /scim/v2/Groups': none,
  'POST /scim/v2/Groups': () => ({ body: { displayName: fresh('group') } }),
  'GET /scim/v2/Groups/:id': scimGroup,
  'PUT /scim/v2/Groups/:id': async (world) => ({ ...(await scimGroup(world)), body: { displayName: fresh('group') } }),
  'PATCH /scim/v2/Groups/:id': async (world) => ({
    ...(await scimGroup(world)),
    body: patchOf('displayName', fresh('group')),
  }),
  'DELETE /scim/v2/Groups/:id': scimGroup,
  'POST /scim/v2/.search': () => ({ body: { filter: 'id pr', count: 10 } }),
  'POST /scim/v2/Users/.search': () => ({ body: { sortBy: 'userName' } }),
  'POST /scim/v2/Groups/.search': () => ({ body: {} }),
  'GET /scim/workspaces': none,
  'POST /scim/workspaces': (world) => ({ body: scimMappingBody(world) }),
  'DELETE /scim/workspaces/:mappingId': async (world) => ({
    params: { mappingId: String((await post(world, '/scim/workspaces', scimMappingBody(world))).id) },
  }),

  'GET /users': () => ({ query: { role: 'member', status: 'active', email: 'anna@example.com' } }),
  'GET /users/:userId': person,
  'PUT /users/:userId': async (world) => ({
    ...(await person(world)),
    body: { role: 'admin', status: 'inactive', first_name: 'Made', last_name: 'by a test' },
  }),
  'DELETE /users/:userId': person,
  'GET /users/invites': () => ({ query: { role: 'member', status: 'pending', email: 'nobody@example.com' } }),
  'POST /users/invites': (world) => ({ body: inviteBody(world) }),
  'GET /users/invites/:inviteId': async (world) => ({ params: (await invite(world)).params }),
  'DELETE /users/invites/:inviteId': async (world) => ({ params: (await invite(world)).params }),
  'POST /users/invites/:inviteId/resend': async (world) => ({ params: (await invite(world)).params }),
  'POST /invites/accept': async (world) => ({
    body: { token: (await invite(world)).token, first_name: 'Made', last_name: 'by a test' },
  }),
  'GET /workspaces': none,
  'POST /workspaces': ({ ours }) => ({ body: { ...workspaceBody(), users: [{ id: ours.userId, role: 'admin' }] } }),
  'GET /workspaces/:workspace': workspace,
  'PUT /workspaces/:workspace': async (world) => ({ ...(await workspace(world)), body: workspaceBody() }),
  'DELETE /workspaces/:workspace': async (world) => {
    const { name, params } = await workspace(world)
    return { params, body: { name, force_delete: false } }
  },
  'GET /workspaces/:workspace/users': ({ ours }) => ({
    params: { workspace: ours.first.slug },
    query: { role: 'admin', email: 'anna@example.com' },
  }),
  'POST /workspaces/:workspace/users': async (world) => ({
    params: { workspace: world.ours.first.slug },
    body: { users: [{ id: (await person(world)).params.userId, role: 'manager' }] },
  }),
  'GET /workspaces/:workspace/users/:userId': member,
  'PUT /workspaces/:workspace/users/:userId': async (world) => ({
    ...(await member(world)),
    body: { role: 'manager' },
  }),
  'DELETE /workspaces/:workspace/users/:userId': member,
  'POST /api-keys/service': async (world) => {
    const { id, slug } = world.ours.second
    const defaults = { config_id: (await config(world, id)).params.slug }
    return { body: { ...keySettings(), workspace_id: slug, defaults } }
  },
  'POST /api-keys/user': ({ ours }) => ({
    body: { ...keySettings(), workspace_id: ours.second.id, user_id: ours.userId },
  }),
  'POST /api-keys/organisation/service': () => ({ body: keySettings() }),
  'GET /api-keys': none,
  'GET /api-keys/service': none,
  'GET /api-keys/user': none,
  'GET /api-keys/:id': key,
  'PUT /api-keys/:id': async (world) => ({ ...(await key(world)), body: { ...keySettings(), reset_usage: true } }),
  'DELETE /api-keys/:id': key,
  'POST /api-keys/:id/rotate': async (world) => ({
    ...(await key(world)),
    body: { key_transition_period_ms: 1_800_000 },
  }),
  'POST /api-keys/:id/rotated-key': async (world) => ({ ...(await rotatedKey(world)), body: {} }),
  'GET /secret-references': () => ({
    query: { manager_type: 'hashicorp_vault', search: 'secret', tags: '{"team":"blue"}', page_size: '5' },
  }),
  'POST /secret-references': ({ ours }) => ({
    body: {
      ...secretReferenceBody(),
      slug: fresh('sample-secret'),
      allowed_workspaces: [ours.first.id, ours.second.slug],
      organisation_id: ours.organisationId,
    },
  }),
  'GET /secret-references/:secretReferenceId': secretReference,
  'PUT /secret-references/:secretReferenceId': async (world) => {
    const { manager_type: _, ...body } = secretReferenceBody()
    return { ...(await secretReference(world)), body: { ...body, allowed_workspaces: [world.ours.first.slug] } }
  },
  'DELETE /secret-references/:secretReferenceId': secretReference,
  'GET /integrations': none,
  'POST /integrations': ({ ours }) => ({
    body: {
      ...integrationBody(),
      slug: fresh('slug'),
      workspace_id: ours.second.slug,
      create_default_provider: true,
      default_provider_slug: fresh('default'),
    },
  }),
  'GET /integrations/:slug': (world) => integration(world),
  'PUT /integrations/:slug': async (world) => {
    const { ai_provider_id: _, ...body } = integrationBody()
    return { ...(await integration(world)), body }
  },
  'DELETE /integrations/:slug': (world) => integration(world),
  'GET /integrations/:slug/models': (world) => integration(world),
  'PUT /integrations/:slug/models': async (world) => ({ ...(await integration(world)), body: modelsBody }),
  'DELETE /integrations/:slug/models': async (world) => ({
    params: { slug: (await model(world)).integration },
    query: { slugs: customModel.slug },
  }),
  'GET /integrations/:slug/workspaces': (world) => integration(world),
  'PUT /integrations/:slug/workspaces': async (world) => ({ ...(await integration(world)), body: grantsBody(world) }),
  'GET /mcp-integrations': none,
  'POST /mcp-integrations': ({ ours }) => ({
    body: { ...mcpIntegrationBody(), slug: fresh('slug'), workspace_id: ours.second.slug },
  }),
  'GET /mcp-integrations/:integration': mcpIntegration,
  'PUT /mcp-integrations/:integration': async (world) => ({
    ...(await mcpIntegration(world)),
    body: mcpIntegrationBody(),
  }),
  'DELETE /mcp-integrations/:integration': mcpIntegration,
  'POST /mcp-integrations/:integration/test': mcpIntegration,
  'POST /mcp-integrations/:integration/sync': mcpIntegration,
  'GET /mcp-integrations/:integration/metadata': mcpIntegration,
  'GET /mcp-integrations/:integration/capabilities': mcpIntegration,
  'PUT /mcp-integrations/:integration/capabilities': async (world) => ({
    ...(await mcpIntegration(world)),
    body: mcpCapabilitiesBody,
  }),
  'GET /mcp-integrations/:integration/workspaces': mcpIntegration,
  'PUT /mcp-integrations/:integration/workspaces': async (world) => ({
    ...(await mcpIntegration(world)),
    body: { ...mcpGrantsBody(), workspaces: [{ id: world.ours.second.slug, enabled: false }] },
  }),
  'GET /.well-known/jwks.json': none,
  'GET /v0.1/servers': async () => ({ query: { limit: '1', include_deleted: 'true' } }),
  'GET /mcp-servers': none,
  'POST /mcp-servers': async (world) => ({
    body: {
      name: fresh('server'),
      mcp_integration_id: (await mcpIntegration(world)).params.integration,
      slug: fresh('server'),
      description: 'made by a test',
      workspace_id: world.ours.second.slug,
    },
  }),
  'GET /mcp-servers/:server': mcpServer,
  'PUT /mcp-servers/:server': async (world) => ({
    ...(await mcpServer(world)),
    body: { name: fresh('server'), description: null },
  }),
  'DELETE /mcp-servers/:server': mcpServer,
  'POST /mcp-servers/:server/test': mcpServer,
  'GET /mcp-servers/:server/metadata': mcpServer,
  'GET /mcp-servers/:server/capabilities': mcpServer,
  'PUT /mcp-servers/:server/capabilities': async (world) => ({
    ...(await mcpServer(world)),
    body: mcpCapabilitiesBody,
  }),
  'GET /mcp-servers/:server/user-access': mcpServer,
  'PUT /mcp-servers/:server/user-access': async (world) => ({
    ...(await mcpServer(world)),
    body: { user_access: [{ user_id: await mcpUser(world), enabled: false }], default_user_access: 'deny' },
  }),
  'GET /mcp-servers/:server/connections': mcpServer,
  'DELETE /mcp-servers/:server/connections': mcpConnection,
  'GET /providers': none,
  'POST /providers': async (world) => {
    const { params } = await integration(world, { workspace_id: world.ours.second.id, create_default_provider: false })
    return {
      body: {
        name: fresh('provider'),
        integration_id: params.slug,
        workspace_id: world.ours.second.id,
        slug: fresh('provider'),
        note: 'made by a test',
        usage_limits: { type: 'cost', credit_limit: 10 },
        rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
        expires_at: '2090-01-01T00:00:00Z',
      },
    }
  },
  'GET /providers/:slug': provider,
  'PUT /providers/:slug': async (world) => {
    const { params } = await provider(world)
    return { params, body: { name: fresh('provider'), note: 'changed', reset_usage: true, expires_at: null } }
  },
  'DELETE /providers/:slug': provider,
  'GET /virtual-keys': none,
  'POST /virtual-keys': ({ ours }) => ({
    body: { ...virtualKeyBody(), slug: fresh('virtual-key'), workspace_id: ours.second.slug },
  }),
  'GET /virtual-keys/:slug': virtualKey,
  'PUT /virtual-keys/:slug': async (world) => {
    const { provider: _, ...body } = virtualKeyBody()
    return { ...(await virtualKey(world)), body: { ...body, reset_usage: true } }
  },
  'DELETE /virtual-keys/:slug': virtualKey,
  'GET /models/:model': model,
  'DELETE /models/:model': model,
  'GET /model-configs/pricing': none,
  'GET /model-configs/pricing/:provider/:model': () => ({
    params: { provider: 'openai', model: LISTED_MODEL },
    query: { details: 'true' },
  }),
  ...guardrailSamples(''),
  ...guardrailSamples('/admin/v2'),
  'GET /organisation/defaults': none,
  'PUT /organisation/defaults': async (world) => ({ body: await defaultsBody(world) }),
  'GET /workspace-exclusions/input-guardrails': none,
  'PUT /workspace-exclusions/input-guardrails': (world) => ({ body: exclusionsBody(world) }),
  'GET /workspace-exclusions/output-guardrails': none,
  'PUT /workspace-exclusions/output-guardrails': (world) => ({ body: exclusionsBody(world) }),
  'GET /configs': none,
  'POST /configs': ({ ours }) => ({ body: { ...configBody(), isDefault: true, workspace_id: ours.second.slug } }),
  'GET /configs/:slug': (world) => config(world),
  'PUT /configs/:slug': async (world) => ({
    ...(await config(world)),
    body: { ...configBody(), status: 'active', is_default: 0 },
  }),
  'DELETE /configs/:slug': (world) => config(world),
  'GET /configs/:slug/versions': (world) => config(world),
  'GET /configs/:slug/versions/:version': async (world) => {
    const { slug, version_id: version } = await post(world, '/configs', configBody())
    return { params: { slug: String(slug), version: String(version) } }
  },
  'POST /configs/evaluate': ({ ours }) => ({
    body: {
      config: configBody().config,
      headers: { 'x-gateway-metadata': '{"team":"blue"}' },
      body: { model: LISTED_MODEL, messages: [] },
      endpoint: 'chat',
      workspace_id: ours.second.slug,
    },
  }),
  'GET /collections': none,
  'POST /collections': async (world) => {
    const { id: workspaceId } = world.ours.second
    const parent = await post(world, '/collections', { name: fresh('parent'), workspace_id: workspaceId })
    return { body: { name: fresh('collection'), workspace_id: workspaceId, parent_collection_id: parent.slug } }
  },
  'GET /collections/:collectionId': collection,
  'PUT /collections/:collectionId': async (world) => ({
    ...(await collection(world)),
    body: { name: fresh('collection') },
  }),
  'DELETE /collections/:collectionId': collection,
  'GET /prompts/partials': none,
  'POST /prompts/partials': ({ ours }) => ({ body: { ...partialBody(), workspace_id: ours.second.slug } }),
  'GET /prompts/partials/:partialId': async (world) => ({ ...(await partial(world)), query: { version: 'latest' } }),
  'PUT /prompts/partials/:partialId': async (world) => ({
    ...(await partial(world)),
    body: { ...partialBody(), description: 'made by a test', status: 'active' },
  }),
  'DELETE /prompts/partials/:partialId': partial,
  'GET /prompts/partials/:partialId/versions': partial,
  'PUT /prompts/partials/:partialId/makeDefault': async (world) => ({
    ...(await partial(world)),
    body: { version: 1 },
  }),
  'GET /prompts': async (world) => ({
    query: {
      collection_id: (await collection(world)).params.collectionId,
      label: 'production',
      search: 'prompt',
    },
  }),
  'POST /prompts': async (world) => ({
    body: {
      ...promptBody(),
      virtual_key: `@${(await provider(world)).params.slug}`,
      collection_id: (await collection(world)).params.collectionId,
      workspace_id: world.ours.first.slug,
    },
  }),
  'GET /prompts/:promptId': async (world) => ({ params: (await prompt(world)).params }),
  'PUT /prompts/:promptId': async (world) => ({
    params: (await prompt(world)).params,
    body: {
      ...promptBody(),
      virtual_key: (await provider(world)).params.slug,
      collection_id: (await collection(world)).params.collectionId,
      status: 'active',
      patch: false,
    },
  }),
  'DELETE /prompts/:promptId': async (world) => ({ params: (await prompt(world)).params }),
  'GET /prompts/:promptId/versions': async (world) => ({ params: (await prompt(world)).params }),
  'GET /prompts/:promptId/versions/:versionId': async (world) => ({ params: (await prompt(world)).version }),
  'PUT /prompts/:promptId/versions/:versionId': async (world) => ({
    params: (await prompt(world)).version,
    body: { label_id: (await label(world)).params.labelId },
  }),
  'PUT /prompts/:promptId/makeDefault': async (world) => ({
    params: (await prompt(world)).params,
    body: { version: 1 },
  }),
  'GET /deployments': ({ ours }) => ({
    query: { search: 'deploy', workspace_slug: ours.second.slug, tags: '{"region":"eu","size":3}' },
  }),
  'POST /deployments': (world) => ({
    body: { ...deploymentBody(world), organisation_id: world.ours.organisationId },
  }),
  'GET /deployments/:deploymentId': async (world) => ({
    ...(await deployment(world)),
    query: { include_credentials: 'true' },
  }),
  'PUT /deployments/:deploymentId': async (world) => {
    const { slug: _, ...body } = deploymentBody(world)
    const removed = { remove_workspaces_allowed: [world.ours.first.slug], remove_subs_allowed: ['anybody'] }
    const changes = { status: 'active', rotate_auth: true, override_existing: true }
    return {
      ...(await deployment(world)),
      body: { ...body, ...changes, auth_settings: { ...body.auth_settings, ...removed } },
    }
  },
  'DELETE /deployments/:deploymentId': deployment,
  'GET /deployments/:deploymentId/ping': deployment,
  'GET /session': none,
  'GET /sessions': ({ ours }) => ({ query: { user_id: ours.organisationId } }),
  'DELETE /sessions': none,
  'DELETE /sessions/:sessionId': async ({ db, ours }) => ({ params: { sessionId: await addSession(db, ours) } }),
  'GET /labels': () => ({ query: { search: 'prod' } }),
  'POST /labels': ({ ours }) => ({
    body: {
      ...labelBody(),
      is_universal: false,
      workspace_id: ours.second.slug,
      organisation_id: ours.organisationId,
    },
  }),
  'GET /labels/:labelId': label,
  'PUT /labels/:labelId': async (world) => ({ ...(await label(world)), body: labelBody() }),
  'DELETE /labels/:labelId': label,
  'GET /alerts': () => ({ query: { kind: 'test' } }),
  'GET /alerts/webhooks': none,
  'POST /alerts/webhooks': ({ ours }) => ({
    body: { ...webhookBody(), workspace_id: ours.second.slug, organisation_id: ours.organisationId },
  }),
  'GET /alerts/webhooks/:webhookId': webhook,
  'PUT /alerts/webhooks/:webhookId': async (world) => ({ ...(await webhook(world)), body: webhookBody() }),
  'DELETE /alerts/webhooks/:webhookId': webhook,
  'POST /alerts/webhooks/:webhookId/test': async (world) => ({ ...(await webhook(world)), body: {} }),
  'GET /policies/rate-limits': none,
  'POST /policies/rate-limits': ({ ours }) => ({
    body: { ...policyBody(), workspace_id: ours.second.slug, organisation_id: ours.organisationId },
  }),
  'GET /policies/rate-limits/:rateLimitsPolicyId': policy,
  'PUT /policies/rate-limits/:rateLimitsPolicyId': async (world) => {
    const { type: _, target: __, group_by: ___, ...body } = policyBody()
    return { ...(await policy(world)), body: { ...body, status: 'active' } }
  },
  'DELETE /policies/rate-limits/:rateLimitsPolicyId': policy,
  'GET /policies/rate-limits/:rateLimitsPolicyId/usage': policy,
  'PUT /policies/rate-limits/:rateLimitsPolicyId/usage/reset': async (world) => ({
    ...(await policy(world)),
    body: { group: { api_key: 'any', 'metadata.team': null } },
  }),
  'POST /policies/rate-limits/evaluate': async (world) => ({ body: await evaluationBody(world) }),
  'GET /policies/usage-limits': () => ({ query: { type: 'cost', search: 'policy' } }),
  'POST /policies/usage-limits': ({ ours }) => ({
    body: { ...usagePolicyBody(), workspace_id: ours.second.slug, organisation_id: ours.organisationId },
  }),
  'GET /policies/usage-limits/:policyUsageLimitsId': async (world) => ({
    ...(await usagePolicy(world)),
    query: { include_usage: 'true' },
  }),
  'PUT /policies/usage-limits/:policyUsageLimitsId': async (world) => {
    const { type: _, group_by: __, ...body } = usagePolicyBody()
    const { entity, params } = await usageEntity(world)
    return {
      params: { policyUsageLimitsId: params.policyUsageLimitsId },
      body: { ...body, status: 'active', reset_usage_for_value: entity.value_key },
    }
  },
  'DELETE /policies/usage-limits/:policyUsageLimitsId': usagePolicy,
  'GET /policies/usage-limits/:policyUsageLimitsId/entities': async (world) => ({
    ...(await usagePolicy(world)),
    query: { status: 'active', search: 'any' },
  }),
  'PUT /policies/usage-limits/:policyUsageLimitsId/entities/:entityId/reset': async (world) => ({
    params: (await usageEntity(world)).params,
  }),
  'POST /policies/usage-limits/evaluate': async (world) => ({ body: await evaluationBody(world) }),
  'GET /logs/exports': ({ ours }) => ({ query: { workspace_id: ours.first.slug } }),
  'POST /logs/exports': () => ({ body: exportBody() }),
  'GET /logs/exports/:exportId': logExport,
  'PUT /logs/exports/:exportId': async (world) => ({
    ...(await logExport(world)),
    body: { description: 'changed', requested_data: ['id'], format: 'jsonl' },
  }),
  'DELETE /logs/exports/:exportId': logExport,
  'POST /logs/exports/:exportId/start': logExport,
  'POST /logs/exports/:exportId/cancel': startedExport,
  'GET /logs/exports/:exportId/download': writtenExport,
  'GET /logs/exports/:exportId/file': async (world) => {
    const { params } = await writtenExport(world)
    const { text } = await world.call({
      method: 'GET',
      path: `/logs/exports/${params.exportId}/download`,
      token: world.ours.admin,
    })
    const { signed_url: url } = JSON.parse(text) as { readonly signed_url: string }
    return { params, query: Object.fromEntries(new URL(url, 'http://any').searchParams) }
  },
  'GET /logs': ({ ours }) => ({
    query: { limit: '10', is_success: 'true', metadata: '{"team":"blue"}', workspace_slug: ours.first.slug },
  }),
  'GET /logs/stream': ({ ours }) => ({ query: { is_success: 'false', workspace_slug: ours.first.slug } }),
  ...Object.fromEntries(ANALYTICS.map((path) => [`GET /analytics/${path}`, thisHour])),
  'GET /analytics/graphs/cost/metadata/:metadataKey': () => ({ ...thisHour(), params: { metadataKey: 'team' } }),
  'GET /analytics/groups/metadata/:metadataKey': () => ({ ...thisHour(), params: { metadataKey: 'team' } }),
  'POST /feedback': () => ({ body: { trace_id: fresh('trace'), value: -3, weight: 0.5, metadata: { by: 'a test' } } }),
  'PUT /feedback/:id': async (world) => ({
    ...(await feedback(world)),
    body: { value: 4, weight: 1, metadata: { by: 'a test' } },
  }),
  'POST /logs': () => ({ body: loggedCall() }),
  'GET /logs/:logId': async (world) => ({ params: { logId: await loggedId(world) }, query: { path_format: 'v2' } }),
  'GET /audit-logs': () => ({ query: { start_time: '2020-01-01T00:00:00Z', end_time: '2090-01-01T00:00:00Z' } }),
}

/** Names of the samples, to find those whose route is gone. */
export const SAMPLE_NAMES: readonly string[] = Object.keys(SAMPLES)
