/** What the driver says of a command that it has not sent, or that no node of the cluster would take. */
const NEVER_SENT = /enableOfflineQueue options is false$|^Too many Cluster redirections/

/**
 * Whether a command that failed has certainly changed nothing: the server refused it, or never got it. Of a connection
 * that was lost nobody knows. (A script is refused as a whole: none of ours writes before a step that can fail.)
 */
export const hasChangedNothing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ReplyError' || NEVER_SENT.test(error.message))

/** As the driver has it of a whole script: that of one of the calls that went together. */
export const replyError = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })

/** A word for the log: the messages of the driver may hold a host, a script or its arguments. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no reply'
  if (error.name === 'ReplyError') return /^[A-Z]+\b/.exec(error.message)?.[0] ?? 'error reply'
  if (NEVER_SENT.test(error.message)) return 'not connected'
  return error.message === 'Command timed out' ? 'no reply' : 'connection lost'
}
