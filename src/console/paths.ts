/** Where people look at the gateway, behind the operator's prefix. */
export const CONSOLE_PATH = '/console'

/** What is served there, for `weir routes`. For people: a call by another method is answered as if nothing was there. */
export const consolePaths = (basePath: string) =>
  ['/', CONSOLE_PATH, `${CONSOLE_PATH}/*`].map(
    (path) => ({ method: 'GET', path: `${basePath}${path}`, guard: 'public', isForPeople: true }) as const,
  )
