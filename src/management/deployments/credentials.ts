import { maskSecret } from '../../secrets/mask.ts'
import { hashKey, randomText } from '../../store/key-material.ts'

const USERNAME_PREFIX = 'dp_'
const USERNAME_CHARACTERS = 20
const PASSWORD_CHARACTERS = 43

export interface NewCredentials {
  /** To be shown once and never stored. */
  readonly shown: {
    readonly client_auth: string
    readonly credentials: { readonly username: string; readonly password: string }
  }
  /** What is kept of them. */
  readonly kept: {
    readonly username: string
    readonly passwordHash: string
    readonly masked: { readonly password: string; readonly clientAuth: string }
  }
}

/** New random credentials of a deployment. */
export const createCredentials = (): NewCredentials => {
  const username = `${USERNAME_PREFIX}${randomText(USERNAME_CHARACTERS)}`
  const password = randomText(PASSWORD_CHARACTERS)
  const clientAuth = btoa(`${username}:${password}`)
  return {
    shown: { client_auth: clientAuth, credentials: { username, password } },
    kept: {
      username,
      passwordHash: hashKey(password),
      masked: { password: maskSecret(password), clientAuth: maskSecret(clientAuth) },
    },
  }
}
