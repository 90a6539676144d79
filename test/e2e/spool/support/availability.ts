import postgres from 'postgres'

/** Takes a database away from everybody who uses it, or gives it back. */
export const setAvailable = async (url: string, isAvailable: boolean): Promise<void> => {
  const name = new URL(url).pathname.slice(1)
  const elsewhere = new URL(url)
  elsewhere.pathname = '/postgres'
  const sql = postgres(elsewhere.href, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    await sql.unsafe(`alter database ${name} with allow_connections ${isAvailable}`)
    if (!isAvailable)
      await sql.unsafe('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  } finally {
    await sql.end()
  }
}
