import type { SecretBox } from '../../secrets/secret-box.ts'
import type { SealedConfig } from '../../store/memory/config-snapshot.ts'
import type { ConfigObject } from './config-tree.ts'
import { toVersion2 } from './read-config.ts'
import { revealSecrets } from './secrets.ts'

/** A stored config as calls need it: version 2.0, its secrets in clear. @throws SecretUnreadable; StoreUnavailable */
export const openConfig = (
  secretBox: Pick<SecretBox, 'open'>,
  { organisationId, configId, config, secrets }: SealedConfig,
): Promise<ConfigObject> =>
  revealSecrets(secretBox, { organisationId, configId }, { config: toVersion2(config), secrets })
