import type { Actor } from './actor.ts'

/** Who made or changed something, as objects remember it: the user of a key that has one, else the key or token. */
export const authorOf = ({ userId, id }: Actor): string => userId ?? id
