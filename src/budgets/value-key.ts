/** Values that the calls of a group share, by key of `group_by`; null where they have none. */
type GroupValues = Readonly<Record<string, string | null>>

/** Of calls that have no value there. */
const ABSENT = '(absent)'
/** Of a policy that tells no calls apart. */
const WHOLE = 'default'

/** How the interface names a group of calls: `metadata._user:bob-model:openai.gpt-4o`. Two groups may have the same. */
export const valueKeyOf = (group: GroupValues): string =>
  Object.entries(group)
    .map(([key, value]) => `${key}:${value ?? ABSENT}`)
    .join('-') || WHOLE
