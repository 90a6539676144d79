import type { MasterKeys } from '../../secrets/master-key.ts'
import { createOwnSeal } from '../../secrets/own-seal.ts'
import { type App, AppRefused, readApp } from './app.ts'

/**
 * Apps that register themselves. Nothing of them is stored: all that is known of one is in its id, sealed, so that nobody fills
 * the database with apps (RFC 7591, appendix A.5.2, "Stateless Client Registration").
 */
export interface Registrations {
  /** @throws AppRefused */
  register(metadata: Readonly<Record<string, unknown>>): App
  /** @returns undefined for an id that was not given out here */
  find(id: string): App | undefined
}

/** An id has to fit into addresses beside everything else that stands there. */
const MAX_ID = 1_300

export const createRegistrations = (masterKeys: MasterKeys): Registrations => {
  const seal = createOwnSeal(masterKeys, 'registered apps')
  return {
    register(metadata) {
      const app = readApp(metadata)
      const id = seal.seal(app)
      if (id.length <= MAX_ID) return { id, ...app }
      throw new AppRefused(
        'invalid_client_metadata',
        'The names and addresses of the app are too long to be registered: publish a client ID metadata document.',
      )
    },
    find(id) {
      if (id.length > MAX_ID) return undefined
      // What was sealed here is what it says.
      const app = seal.open(id) as Omit<App, 'id'> | undefined
      return app && { id, ...app }
    },
  }
}
