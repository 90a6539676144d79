import tenancyAndApiKeys from './migrations/0000_tenancy_and_api_keys.sql' with { type: 'text' }
import changeNotifications from './migrations/0001_change_notifications.sql' with { type: 'text' }
import integrationsSecretsAndAudit from './migrations/0002_integrations_secrets_and_audit.sql' with { type: 'text' }
import rateLimitPolicies from './migrations/0003_rate_limit_policies.sql' with { type: 'text' }
import configs from './migrations/0004_configs.sql' with { type: 'text' }
import prompts from './migrations/0005_prompts.sql' with { type: 'text' }
import integrationTags from './migrations/0006_integration_tags.sql' with { type: 'text' }
import keptResponses from './migrations/0007_kept_responses.sql' with { type: 'text' }
import logSettings from './migrations/0008_log_settings.sql' with { type: 'text' }
import logExports from './migrations/0009_log_exports.sql' with { type: 'text' }
import usageLimitPolicies from './migrations/0010_usage_limit_policies.sql' with { type: 'text' }
import alerts from './migrations/0011_alerts.sql' with { type: 'text' }
import keyRotation from './migrations/0012_key_rotation.sql' with { type: 'text' }
import guardrails from './migrations/0013_guardrails.sql' with { type: 'text' }
import ownFilesAndBatches from './migrations/0014_own_files_and_batches.sql' with { type: 'text' }
import people from './migrations/0015_people.sql' with { type: 'text' }
import deployments from './migrations/0016_deployments.sql' with { type: 'text' }
import sessionAnnouncements from './migrations/0017_session_announcements.sql' with { type: 'text' }
import keysOfPeople from './migrations/0018_keys_of_people.sql' with { type: 'text' }
import secretReferences from './migrations/0019_secret_references.sql' with { type: 'text' }
import addressOfDirectory from './migrations/0020_address_of_directory.sql' with { type: 'text' }
import mcp from './migrations/0021_mcp.sql' with { type: 'text' }
import appGrants from './migrations/0022_app_grants.sql' with { type: 'text' }

/** One committed migration: the name drizzle-kit gave it and its statements. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** All of `migrations/`, in the order of its journal. Imported as text because the executable has no folder to read. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_tenancy_and_api_keys', sql: tenancyAndApiKeys },
  { name: '0001_change_notifications', sql: changeNotifications },
  { name: '0002_integrations_secrets_and_audit', sql: integrationsSecretsAndAudit },
  { name: '0003_rate_limit_policies', sql: rateLimitPolicies },
  { name: '0004_configs', sql: configs },
  { name: '0005_prompts', sql: prompts },
  { name: '0006_integration_tags', sql: integrationTags },
  { name: '0007_kept_responses', sql: keptResponses },
  { name: '0008_log_settings', sql: logSettings },
  { name: '0009_log_exports', sql: logExports },
  { name: '0010_usage_limit_policies', sql: usageLimitPolicies },
  { name: '0011_alerts', sql: alerts },
  { name: '0012_key_rotation', sql: keyRotation },
  { name: '0013_guardrails', sql: guardrails },
  { name: '0014_own_files_and_batches', sql: ownFilesAndBatches },
  { name: '0015_people', sql: people },
  { name: '0016_deployments', sql: deployments },
  { name: '0017_session_announcements', sql: sessionAnnouncements },
  { name: '0018_keys_of_people', sql: keysOfPeople },
  { name: '0019_secret_references', sql: secretReferences },
  { name: '0020_address_of_directory', sql: addressOfDirectory },
  { name: '0021_mcp', sql: mcp },
  { name: '0022_app_grants', sql: appGrants },
]
