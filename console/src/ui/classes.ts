/** Class names, without those that are left out. */
export const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
