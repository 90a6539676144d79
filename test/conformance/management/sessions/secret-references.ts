import type { Session } from '../recorder.ts'

export const secretReferences: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const vault = {
    vault_auth_type: 'token',
    vault_addr: 'https://vault.example.com:8200/',
    vault_token: 'hvs.token-of-the-session-0123456789',
  }
  const body = { name: 'OpenAI (vault)', manager_type: 'hashicorp_vault', auth_config: vault, secret_path: 'kv/openai' }
  const { id, slug } = await post('/secret-references', {
    ...body,
    description: 'made by a test',
    tags: { team: 'blue' },
  })
  await post('/secret-references', {
    name: 'AWS',
    slug: 'aws',
    manager_type: 'aws_sm',
    auth_config: {
      aws_auth_type: 'accessKey',
      aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      aws_secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      aws_region: 'eu-central-1',
    },
    secret_path: 'prod/openai',
    secret_key: 'api_key',
    allowed_workspaces: [second.slug],
  })
  await post('/secret-references', {
    name: 'Azure',
    slug: 'azure',
    manager_type: 'azure_kv',
    auth_config: { azure_auth_mode: 'managed', azure_vault_url: 'https://contoso.vault.azure.net' },
    secret_path: 'openai/0123456789abcdef0123456789abcdef',
  })
  const variable = { name: 'A variable', slug: 'variable', manager_type: 'environment', secret_path: 'PROVIDER_KEY' }
  await post('/secret-references', variable)

  await post('/secret-references', variable)
  await post('/secret-references', { ...variable, slug: 'other', secret_path: 'WEIR_MASTER_KEY' })
  await post('/secret-references', { ...variable, slug: 'other', auth_config: { vault_role: 'any' } })
  await post('/secret-references', { ...body, auth_config: {} })
  await post('/secret-references', { ...body, auth_config: { ...vault, vault_auth_type: 'approle' } })
  await post('/secret-references', { ...body, secret_path: 'kv/../openai' })
  await post('/secret-references', { ...body, allow_all_workspaces: true, allowed_workspaces: [first.id] })
  await post('/secret-references', { ...body, allowed_workspaces: ['ws-none'] })
  await post('/secret-references', { ...body, manager_type: 'a_drawer' })
  await as('service').post('/secret-references', body)

  await get('/secret-references')
  await get('/secret-references?manager_type=aws_sm')
  await get('/secret-references?search=VAULT')
  await get(`/secret-references?tags=${encodeURIComponent('{"team":"blue"}')}`)
  await get('/secret-references?tags=blue')
  await get('/secret-references?page_size=1&current_page=1')
  await get('/secret-references?page_size=101')
  await as('service').get('/secret-references')
  await get(`/secret-references/${id}`)
  await get('/secret-references/aws')
  await get('/secret-references/none')

  await put(`/secret-references/${slug}`, { name: 'Renamed', auth_config: { vault_namespace: 'team' }, tags: null })
  await put(`/secret-references/${slug}`, { auth_config: { vault_addr: 'https://vault.elsewhere.example' } })
  await put(`/secret-references/${slug}`, { allowed_workspaces: [first.id, first.slug] })
  await get(`/secret-references/${slug}`)
  await put(`/secret-references/${slug}`, { allow_all_workspaces: true })
  await put(`/secret-references/${slug}`, {})
  await get(`/secret-references/${slug}`)

  const integration = { name: 'OpenAI', slug: 'from-vault', ai_provider_id: 'openai' }
  const mapping = { target_field: 'key', secret_reference_id: slug, secret_key: 'api_key', value_format: 'string' }
  await post('/integrations', { ...integration, secret_mappings: [mapping, { ...mapping, secret_reference_id: id }] })
  await post('/integrations', {
    ...integration,
    workspace_id: first.id,
    secret_mappings: [{ ...mapping, secret_reference_id: 'aws' }],
  })
  await post('/integrations', { ...integration, secret_mappings: [mapping] })
  await get('/integrations/from-vault')
  await remove(`/secret-references/${id}`)
  await remove('/integrations/from-vault')
  for (const reference of [id, 'aws', 'azure', 'variable', 'none']) await remove(`/secret-references/${reference}`)
}
