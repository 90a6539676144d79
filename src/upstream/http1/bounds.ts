/** Bytes of an answer's head, status line included. */
export const MAX_HEAD_BYTES: number = 64 * 1024
/** Header lines of one answer. */
export const MAX_HEADERS = 200
/** Interim answers (1xx) before the final one. */
export const MAX_INTERIM_ANSWERS = 8
/** Bytes of one chunk's size line, extensions included. */
export const MAX_CHUNK_LINE_BYTES = 4_096
/** Bytes of all trailers of one answer. */
export const MAX_TRAILER_BYTES: number = 16 * 1024

/** Bytes of a body that may wait unread before its connection is read no further. */
export const HIGH_WATER_BYTES: number = 64 * 1024
/**
 * Bytes of a body handed out at once. The system gives up to half a megabyte in one go (Bun 1.4.5), and whoever stands
 * between here and a client that stalls holds a piece or two.
 */
export const MAX_PIECE_BYTES: number = 32 * 1024
/** A larger request body is not copied behind its head: a second write costs less than the copy. */
export const MAX_JOINED_BYTES: number = 64 * 1024

/** Milliseconds an idle connection is kept: below the 60 s after which most servers and load balancers close theirs. */
export const IDLE_MS = 30_000
/** Idle connections kept to one origin; past it the one unused for longest goes. */
export const MAX_IDLE_PER_ORIGIN = 256
/** Peers whose ways are remembered while there is no connection to them. */
export const MAX_ORIGINS = 2_000
/** Idle connections kept in all; past it the one unused for longest goes. Callers may name hosts of their own. */
export const MAX_IDLE = 8_192
