const STARS = '*****'

/**
 * What people may see of a secret: its first and last three characters, fewer of a short one, nothing of one under 16.
 */
export const maskSecret = (secret: string): string => {
  if (secret.length < 16) return STARS
  const shown = secret.length < 32 ? 2 : 3
  return `${secret.slice(0, shown)}${STARS}${secret.slice(-shown)}`
}

/** Each field masked. */
export const maskFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, secret]) => [name, maskSecret(secret)]))
