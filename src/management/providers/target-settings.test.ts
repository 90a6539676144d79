import { expect, test } from 'bun:test'
import { toTargetSettings } from './target-settings.ts'

const FOUNDRY = {
  azure_foundry_url: 'https://acme.services.ai.azure.com',
  azure_api_version: '2024-05-01-preview',
  azure_entra_tenant_id: 't',
  azure_managed_client_id: 'm',
}

test.each([
  ['default', {}],
  ['managed', { azure_auth_mode: 'managed', azure_managed_client_id: 'm' }],
  ['entra', { azure_auth_mode: 'entra', azure_entra_tenant_id: 't' }],
])('azure-ai logs in with the fields of its mode alone: %s', (azure_auth_mode, login) => {
  expect(toTargetSettings('azure-ai', { ...FOUNDRY, azure_auth_mode }, 'phi-4')).toEqual({
    settings: {
      ...login,
      azure_foundry_url: 'https://acme.services.ai.azure.com',
      api_version: '2024-05-01-preview',
    },
    headers: {},
  })
})
