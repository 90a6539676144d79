import type { OperatorConfig } from './schema.ts'

/**
 * Where people and clients reach the routes of a gateway, with the operator's prefix.
 * @param origin where the operator names none
 */
export const publicBaseOf = ({ publicUrl, basePath }: OperatorConfig['server'], origin: string): string =>
  `${new URL(publicUrl ?? origin).origin}${basePath}`
